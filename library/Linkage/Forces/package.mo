within Linkage;
package Forces "Forces and torques on frames"
end Forces;
