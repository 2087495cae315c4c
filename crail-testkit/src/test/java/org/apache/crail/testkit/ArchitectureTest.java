/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.GeneralCodingRules;
import java.util.List;
import java.util.Set;

/** The arrows between the modules, see docs/design.md. A class belongs to the module whose directory or jar it was loaded from. */
@AnalyzeClasses(packages = "org.apache.crail", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {
    /** The two that set the constants, and the helpers that old programs call. */
    private static final Set<String> SERVES_OLD_PROGRAMS = Set.of(
            "org.apache.crail.CrailStore",
            "org.apache.crail.StoreRegistry",
            "org.apache.crail.core.CoreStoreProvider",
            "org.apache.crail.utils.CrailUtils");

    @ArchTest
    static final ArchRule API_STANDS_ALONE = mayNotUse(
            "crail-api",
            "crail-rpc",
            "crail-storage",
            "crail-netty",
            "crail-storage-rdma",
            "crail-storage-nvmf",
            "crail-namenode",
            "crail-client",
            "crail-testkit");

    @ArchTest
    static final ArchRule RPC_USES_API = mayNotUse(
            "crail-rpc",
            "crail-storage",
            "crail-netty",
            "crail-storage-rdma",
            "crail-storage-nvmf",
            "crail-namenode",
            "crail-client",
            "crail-testkit");

    @ArchTest
    static final ArchRule STORAGE_USES_API_AND_RPC = mayNotUse(
            "crail-storage",
            "crail-netty",
            "crail-storage-rdma",
            "crail-storage-nvmf",
            "crail-namenode",
            "crail-client",
            "crail-testkit");

    @ArchTest
    static final ArchRule VERBS_STAND_ALONE = mayNotUse(
            "crail-verbs",
            "crail-api",
            "crail-rpc",
            "crail-storage",
            "crail-netty",
            "crail-storage-rdma",
            "crail-storage-nvmf",
            "crail-namenode",
            "crail-client",
            "crail-testkit");

    @ArchTest
    static final ArchRule NETTY_USES_RPC_AND_STORAGE = mayNotUse(
            "crail-netty",
            "crail-storage-rdma",
            "crail-storage-nvmf",
            "crail-namenode",
            "crail-client",
            "crail-testkit");

    @ArchTest
    static final ArchRule DARPC_TRANSPORT_USES_RPC = mayNotUse(
            "crail-rpc-darpc", "crail-storage", "crail-netty", "crail-namenode", "crail-client", "crail-testkit");

    @ArchTest
    static final ArchRule ONLY_THE_DARPC_TRANSPORT_KNOWS_DARPC = noClasses()
            .that(notIn("crail-rpc-darpc"))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.ibm.darpc..");

    @ArchTest
    static final ArchRule RDMA_TIER_USES_STORAGE = mayNotUse(
            "crail-storage-rdma",
            "crail-storage-nvmf",
            "crail-netty",
            "crail-namenode",
            "crail-client",
            "crail-testkit");

    @ArchTest
    static final ArchRule NVMF_TIER_USES_STORAGE = mayNotUse(
            "crail-storage-nvmf",
            "crail-storage-rdma",
            "crail-netty",
            "crail-namenode",
            "crail-client",
            "crail-testkit");

    @ArchTest
    static final ArchRule ONLY_THE_NVMF_TIER_KNOWS_JNVMF = noClasses()
            .that(notIn("crail-storage-nvmf"))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.ibm.jnvmf..");

    @ArchTest
    static final ArchRule NAMENODE_USES_RPC = mayNotUse(
            "crail-namenode",
            "crail-storage",
            "crail-netty",
            "crail-storage-rdma",
            "crail-storage-nvmf",
            "crail-client",
            "crail-testkit");

    @ArchTest
    static final ArchRule CLIENT_USES_RPC_STORAGE_AND_NETTY =
            mayNotUse("crail-client", "crail-storage-rdma", "crail-storage-nvmf", "crail-namenode", "crail-testkit");

    @ArchTest
    static final ArchRule ONLY_NETTY_KNOWS_NETTY = noClasses()
            .that(notIn("crail-netty"))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.netty..");

    @ArchTest
    static final ArchRule NO_CYCLES_BETWEEN_PARTS_OF_A_SERVER = slices().matching(
                    "org.apache.crail.(namenode|rpc|storage).(*)..")
            .should()
            .beFreeOfCycles();

    /** D31: nobody consults the process-wide constants; they are there for old programs and are set when a store opens. */
    @ArchTest
    static final ArchRule CONSTANTS_ARE_FOR_OLD_PROGRAMS = noClasses()
            .that()
            .resideOutsideOfPackage("org.apache.crail.conf..")
            .and(DescribedPredicate.describe(
                    "do not serve old programs", type -> !SERVES_OLD_PROGRAMS.contains(type.getName())))
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("org.apache.crail.conf.CrailConstants");

    @ArchTest
    static final ArchRule ONLY_COMMANDS_PRINT = noClasses()
            .that()
            .doNotHaveFullyQualifiedName("org.apache.crail.testkit.servers.ServerAgent")
            .should(GeneralCodingRules.ACCESS_STANDARD_STREAMS);

    @ArchTest
    static final ArchRule LOGS_GO_THROUGH_SLF4J = GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;

    private static ArchRule mayNotUse(String module, String... others) {
        return noClasses()
                .that(in(module))
                .should()
                .dependOnClassesThat(in(others))
                .as(module + " does not use " + List.of(others));
    }

    private static DescribedPredicate<JavaClass> in(String... modules) {
        return DescribedPredicate.describe("in " + List.of(modules), type -> isIn(type, modules));
    }

    private static DescribedPredicate<JavaClass> notIn(String... modules) {
        return DescribedPredicate.describe("not in " + List.of(modules), type -> !isIn(type, modules));
    }

    private static boolean isIn(JavaClass type, String... modules) {
        String source = type.getSource().map(found -> found.getUri().toString()).orElse("");
        for (String module : modules) {
            if (source.contains("/" + module + "/") || source.matches(".*/" + module + "-[0-9].*")) {
                return true;
            }
        }
        return false;
    }
}
