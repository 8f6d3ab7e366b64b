within Linkage;
package Interfaces "Connectors and partial models"
end Interfaces;
