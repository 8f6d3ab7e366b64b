within Linkage;
package Parts "Rigid parts, with and without mass"
end Parts;
