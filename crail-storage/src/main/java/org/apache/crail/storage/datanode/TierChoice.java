/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.datanode;

import java.util.List;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ConfigurationException;

/**
 * Which tier a datanode runs, as what.
 *
 * @param tierClass name of the class
 * @param storageType its place in {@code crail.storage.types}
 * @param storageClass what its blocks belong to
 */
record TierChoice(String tierClass, int storageType, int storageClass) {

    /** Checks what was asked for against the configuration; a null tier and a negative class mean "not asked". */
    static TierChoice of(CrailConfiguration configuration, String tierClass, int storageClass)
            throws ConfigurationException {
        List<String> types = configuration.get(CrailKeys.STORAGE_TYPES);
        int storageType = tierClass == null ? 0 : types.indexOf(tierClass);
        if (storageType < 0) {
            throw new ConfigurationException("the tier " + tierClass + " is not in crail.storage.types, which has "
                    + types + "; use one of these or add it there on all hosts");
        }
        int classes = CrailKeys.storageClasses(configuration);
        int chosen = storageClass < 0 ? storageType : storageClass;
        if (chosen >= classes) {
            throw new ConfigurationException("storage class " + chosen + " does not exist; there are " + classes
                    + ", counted from 0; raise crail.storage.classes on all hosts or use a smaller one");
        }
        return new TierChoice(types.get(storageType), storageType, chosen);
    }
}
