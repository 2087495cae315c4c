/**
 * Listings: the records by which a container's data names its children, written, read and compared with what the
 * namenode knows. Public for the other packages of the client only; not for applications.
 */
package org.apache.crail.core.list;
