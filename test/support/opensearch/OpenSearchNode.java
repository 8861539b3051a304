import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.analysis.Analyzer;
import org.opensearch.Version;
import org.opensearch.analysis.common.CommonAnalysisModulePlugin;
import org.opensearch.common.logging.LogConfigurator;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.index.analysis.AnalyzerProvider;
import org.opensearch.index.analysis.PreBuiltAnalyzerProviderFactory;
import org.opensearch.index.analysis.TokenizerFactory;
import org.opensearch.index.mapper.MapperExtrasModulePlugin;
import org.opensearch.index.reindex.ReindexModulePlugin;
import org.opensearch.indices.analysis.AnalysisModule.AnalysisProvider;
import org.opensearch.join.ParentJoinModulePlugin;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.painless.PainlessModulePlugin;
import org.opensearch.plugins.PluginInfo;
import org.opensearch.script.expression.ExpressionModulePlugin;
import org.opensearch.transport.Netty4ModulePlugin;

/** A node of OpenSearch with the modules of its distribution that an index of text needs; runs until SIGTERM. */
public final class OpenSearchNode extends Node {
  private static final List<Class<?>> MODULES = List.of(
      AnalysisWithoutThai.class,
      ExpressionModulePlugin.class,
      MapperExtrasModulePlugin.class,
      Netty4ModulePlugin.class,
      PainlessModulePlugin.class,
      ParentJoinModulePlugin.class,
      ReindexModulePlugin.class);
  private static final long CLOSED_WITHIN_SECONDS = 20;

  private OpenSearchNode(Environment environment, Collection<PluginInfo> modules) {
    super(environment, modules, false);
  }

  /** Takes the home directory, whose folder config holds opensearch.yml and log4j2.properties. */
  public static void main(String[] arguments) {
    try {
      run(Path.of(arguments[0]));
    } catch (Throwable error) {
      error.printStackTrace();
      // Threads of a half-started node would keep the process.
      System.exit(1);
    }
  }

  private static void run(Path home) throws Exception {
    Map<String, String> homeSetting = Map.of("path.home", home.toString());
    Environment environment = InternalSettingsPreparer.prepareEnvironment(
        Settings.EMPTY, homeSetting, home.resolve("config"), () -> "node");
    LogConfigurator.setNodeName(Node.NODE_NAME_SETTING.get(environment.settings()));
    LogConfigurator.configure(environment);
    Node node = new OpenSearchNode(environment, MODULES.stream().map(Class::getName).map(OpenSearchNode::describe).toList());
    CountDownLatch closed = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(node, closed)));
    node.start();
    closed.await();
  }

  private static PluginInfo describe(String name) {
    return new PluginInfo(name, "", Version.CURRENT.toString(), Version.CURRENT, "21", name, List.of(), false);
  }

  private static void close(Node node, CountDownLatch closed) {
    try {
      node.close();
      node.awaitClose(CLOSED_WITHIN_SECONDS, TimeUnit.SECONDS);
    } catch (Exception error) {
      error.printStackTrace();
    } finally {
      closed.countDown();
    }
  }

  /** Every index makes each analyzer that is known, and a Java without Thai locale data fails at that one. */
  public static final class AnalysisWithoutThai extends CommonAnalysisModulePlugin {
    private static final String THAI = "thai";

    @Override
    public Map<String, AnalysisProvider<AnalyzerProvider<? extends Analyzer>>> getAnalyzers() {
      return withoutThai(super.getAnalyzers());
    }

    @Override
    public Map<String, AnalysisProvider<TokenizerFactory>> getTokenizers() {
      return withoutThai(super.getTokenizers());
    }

    @Override
    public List<PreBuiltAnalyzerProviderFactory> getPreBuiltAnalyzerProviderFactories() {
      return super.getPreBuiltAnalyzerProviderFactories().stream()
          .filter(factory -> !factory.getName().equals(THAI))
          .toList();
    }

    private static <T> Map<String, T> withoutThai(Map<String, T> all) {
      Map<String, T> others = new HashMap<>(all);
      others.remove(THAI);
      return others;
    }
  }
}
