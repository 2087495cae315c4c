/** Configuration: keys declared as data, and the values that one store, namenode or datanode runs with. */
package org.apache.crail.conf;
