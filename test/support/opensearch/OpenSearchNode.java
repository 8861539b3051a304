import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.lucene.analysis.Analyzer;
import org.opensearch.Version;
import org.opensearch.analysis.common.CommonAnalysisModulePlugin;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.logging.LogConfigurator;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.env.Environment;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.index.analysis.AnalyzerProvider;
import org.opensearch.index.analysis.PreBuiltAnalyzerProviderFactory;
import org.opensearch.index.analysis.TokenizerFactory;
import org.opensearch.index.mapper.MapperExtrasModulePlugin;
import org.opensearch.index.reindex.ReindexModulePlugin;
import org.opensearch.indices.analysis.AnalysisModule.AnalysisProvider;
import org.opensearch.join.ParentJoinModulePlugin;
import org.opensearch.knn.plugin.KNNPlugin;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.painless.PainlessModulePlugin;
import org.opensearch.plugins.PluginInfo;
import org.opensearch.repositories.RepositoriesService;
import org.opensearch.script.ScriptService;
import org.opensearch.script.expression.ExpressionModulePlugin;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.Netty4ModulePlugin;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.grpc.spi.QueryBuilderProtoConverter;
import org.opensearch.watcher.ResourceWatcherService;

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

  /**
   * Takes the home directory, whose folder config holds opensearch.yml and log4j2.properties, and
   * "knn" for a node with the k-NN plugin.
   */
  public static void main(String[] arguments) {
    try {
      run(Path.of(arguments[0]), List.of(arguments).contains("knn"));
    } catch (Throwable error) {
      error.printStackTrace();
      // Threads of a half-started node would keep the process.
      System.exit(1);
    }
  }

  private static void run(Path home, boolean hasVectors) throws Exception {
    Map<String, String> homeSetting = Map.of("path.home", home.toString());
    Environment environment = InternalSettingsPreparer.prepareEnvironment(
        Settings.EMPTY, homeSetting, home.resolve("config"), () -> "node");
    LogConfigurator.setNodeName(Node.NODE_NAME_SETTING.get(environment.settings()));
    LogConfigurator.configure(environment);
    Stream<Class<?>> plugins = hasVectors ? Stream.of(VectorsWithoutGrpc.class) : Stream.of();
    Node node = new OpenSearchNode(
        environment, Stream.concat(MODULES.stream(), plugins).map(Class::getName).map(OpenSearchNode::describe).toList());
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

  /** The module that would use the component is not on Maven Central. */
  public static final class VectorsWithoutGrpc extends KNNPlugin {
    @Override
    public Collection<Object> createComponents(
        Client client, ClusterService clusterService, ThreadPool threadPool,
        ResourceWatcherService watcher, ScriptService scripts, NamedXContentRegistry contents,
        Environment environment, NodeEnvironment node, NamedWriteableRegistry writeables,
        IndexNameExpressionResolver resolver, Supplier<RepositoriesService> repositories) {
      return super.createComponents(
              client, clusterService, threadPool, watcher, scripts, contents, environment, node,
              writeables, resolver, repositories)
          .stream()
          .filter(component -> !(component instanceof QueryBuilderProtoConverter))
          .toList();
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
