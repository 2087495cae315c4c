/**
 * The blocks of nodes: locations with their leases and layouts, write tokens, and the ways to transfer or copy bytes.
 * Public for the other packages of the client only; not for applications.
 */
package org.apache.crail.core.block;
