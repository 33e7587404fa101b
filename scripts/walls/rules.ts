/** A folder of src and the folders it may import besides itself. */
export type Layer = {
  readonly folder: string
  readonly imports: readonly string[] | 'everything'
  /** Folders of which it may import types, and nothing that exists at run time. */
  readonly types: readonly string[]
}

const layer = (folder: string, imports: Layer['imports'], { types = [] }: { types?: string[] } = {}): Layer => ({
  folder,
  imports,
  types,
})

/** Who may import whom. Changing the architecture is a change of this table. */
export const layers: readonly Layer[] = [
  layer('primitives', []),
  layer('codec', ['primitives']),
  layer('adnl', ['primitives']),
  layer('chain', ['primitives', 'codec']),
  layer('tvm', ['primitives', 'codec', 'chain', 'observe']),
  layer('contracts', ['primitives', 'codec', 'chain']),
  layer('actions', ['primitives', 'codec', 'chain', 'contracts']),
  layer('config', ['primitives']),
  layer('observe', ['primitives']),
  layer('node', ['primitives', 'codec', 'adnl', 'chain', 'observe']),
  layer('devnet', ['primitives', 'codec', 'adnl', 'chain', 'contracts', 'observe']),
  layer('store', ['primitives', 'chain', 'observe']),
  layer('indexer', ['primitives', 'codec', 'chain', 'contracts', 'actions', 'store', 'observe']),
  layer('emulate', ['primitives', 'codec', 'chain', 'contracts', 'store']),
  layer('pending', ['primitives', 'codec', 'chain', 'contracts', 'actions', 'store', 'emulate', 'observe']),
  layer('metadata', ['primitives', 'store', 'observe']),
  layer('streaming', ['primitives', 'codec', 'chain', 'store', 'pending', 'observe']),
  layer('webhooks', ['primitives', 'store', 'streaming', 'metadata', 'observe']),
  layer('api/core', ['primitives', 'chain', 'observe']),
  layer('api/v2', ['api/core', 'primitives', 'codec', 'chain', 'contracts']),
  layer('api/v3', ['api/core', 'primitives', 'codec', 'chain', 'contracts', 'actions', 'store']),
  layer('debug', ['primitives', 'codec', 'chain', 'contracts']),
  layer('api/debug', [
    'api/core',
    'api/v3',
    'api/emulate',
    'primitives',
    'codec',
    'chain',
    'contracts',
    'debug',
    'emulate',
    'store',
  ]),
  layer('api/dev', ['api/core', 'primitives', 'codec', 'chain', 'devnet']),
  layer('api/emulate', ['api/core', 'api/v3', 'primitives', 'codec', 'chain', 'contracts', 'store', 'emulate']),
  layer('api/streaming', [
    'api/core',
    'api/v3',
    'primitives',
    'chain',
    'contracts',
    'actions',
    'store',
    'streaming',
    'observe',
  ]),
  layer('api/webhooks', ['api/core', 'primitives', 'store', 'streaming', 'webhooks']),
  layer('gateway', ['primitives', 'store', 'observe', 'api/core']),
  layer('explorer', ['client'], {
    types: ['api/core', 'api/v2', 'api/v3', 'api/debug', 'api/dev', 'api/emulate', 'api/streaming', 'api/webhooks'],
  }),
  layer('client', [], { types: ['actions'] }),
  layer('reference', ['explorer', 'client']),
  layer('testing', ['primitives', 'codec', 'chain', 'tvm', 'debug', 'devnet']),
  layer('cli', 'everything'),
]

/** Names below a version of the API. */
const v2 = (...names: string[]): string[] => names.map((name) => `api/v2/${name}`)
const v3 = (...names: string[]): string[] => names.map((name) => `api/v3/${name}`)

/**
 * Who may import whom inside a folder of the table above. Arrows point one way here, too: a folder (or file) imports only those
 * named before it, and every file of the outer folder is in one of these.
 */
export const innerLayers: readonly Layer[] = [
  layer('store/errors.ts', []),
  layer('store/schema', []),
  layer('store/distributed', ['store/errors.ts', 'store/schema']),
  layer('store/connect', ['store/errors.ts', 'store/schema', 'store/distributed']),
  layer('store/embedded', ['store/errors.ts']),
  layer('store/migrate', ['store/errors.ts', 'store/schema']),
  layer('store/keys', ['store/connect']),
  layer('store/webhooks', ['store/connect']),
  layer('store/metadata', ['store/schema']),
  layer('store/reader', ['store/errors.ts', 'store/schema', 'store/connect']),
  layer('store/writer', ['store/errors.ts', 'store/schema', 'store/distributed', 'store/connect', 'store/reader']),
  layer('store/archive', ['store/errors.ts', 'store/schema', 'store/connect', 'store/migrate', 'store/writer']),
  layer('store/maintenance', [
    'store/errors.ts',
    'store/schema',
    'store/distributed',
    'store/connect',
    'store/migrate',
    'store/writer',
  ]),

  layer('api/v2/errors.ts', []),
  layer('api/v2/TransactionReading.ts', []),
  layer('api/v2/envelope.ts', v2('errors.ts')),
  layer('api/v2/params.ts', v2('errors.ts')),
  layer('api/v2/readAccount.ts', v2('errors.ts')),
  layer('api/v2/namedBlock.ts', v2('params.ts')),
  layer('api/v2/locateTransaction.ts', v2('errors.ts', 'params.ts', 'TransactionReading.ts')),
  layer('api/v2/v2Endpoint.ts', [], { types: v2('getMethods') }),
  layer('api/v2/getMethods', v2('errors.ts', 'params.ts', 'readAccount.ts', 'v2Endpoint.ts')),
  layer('api/v2/views', v2('errors.ts', 'params.ts', 'readAccount.ts', 'TransactionReading.ts', 'getMethods')),
  layer('api/v2/sendMessage.ts', v2('errors.ts', 'params.ts', 'v2Endpoint.ts', 'views')),
  layer('api/v2/externalQuery.ts', v2('errors.ts', 'params.ts', 'v2Endpoint.ts', 'views', 'sendMessage.ts')),
  layer('api/v2/sendAndWait.ts', v2('readAccount.ts', 'v2Endpoint.ts', 'sendMessage.ts')),
  layer('api/v2/estimateFees.ts', v2('errors.ts', 'readAccount.ts', 'v2Endpoint.ts', 'getMethods', 'externalQuery.ts')),
  layer('api/v2/endpoints', [
    ...v2('errors.ts', 'TransactionReading.ts', 'envelope.ts', 'params.ts', 'readAccount.ts', 'namedBlock.ts'),
    ...v2('locateTransaction.ts', 'v2Endpoint.ts', 'getMethods', 'views', 'sendMessage.ts', 'externalQuery.ts'),
    ...v2('estimateFees.ts', 'sendAndWait.ts'),
  ]),
  layer('api/v2/index.ts', v2('envelope.ts', 'v2Endpoint.ts', 'endpoints')),

  layer('api/v3/errors.ts', []),
  layer('api/v3/supportedActionTypes.ts', []),
  layer('api/v3/AnswerBudget.ts', v3('errors.ts')),
  layer('api/v3/TransactionTexts.ts', v3('AnswerBudget.ts')),
  layer('api/v3/params.ts', v3('errors.ts')),
  layer('api/v3/V3Context.ts', v3('params.ts', 'AnswerBudget.ts', 'TransactionTexts.ts')),
  layer('api/v3/views', v3('errors.ts', 'AnswerBudget.ts')),
  layer('api/v3/filterParams.ts', v3('errors.ts', 'params.ts', 'V3Context.ts', 'supportedActionTypes.ts')),
  layer('api/v3/hydrate', v3('errors.ts', 'AnswerBudget.ts', 'TransactionTexts.ts', 'V3Context.ts', 'views')),
  layer('api/v3/proxyToV2.ts', v3('errors.ts', 'V3Context.ts')),
  layer('api/v3/seenSeqno.ts', v3('errors.ts', 'V3Context.ts')),
  layer('api/v3/v3Endpoint.ts', v3('errors.ts', 'AnswerBudget.ts', 'V3Context.ts', 'seenSeqno.ts')),
  layer('api/v3/endpoints', [
    ...v3('errors.ts', 'params.ts', 'AnswerBudget.ts', 'V3Context.ts', 'views', 'filterParams.ts', 'hydrate'),
    ...v3('proxyToV2.ts', 'v3Endpoint.ts'),
  ]),
  layer('api/v3/index.ts', v3('errors.ts', 'V3Context.ts', 'endpoints')),

  layer('api/dev/devEndpoint.ts', []),
  layer('api/dev/views.ts', []),
  layer('api/dev/endpoints', ['api/dev/devEndpoint.ts', 'api/dev/views.ts']),
  layer('api/dev/index.ts', ['api/dev/endpoints']),
  layer('devnet/store', []),
  layer('devnet/contracts', []),
  layer('devnet/wallets', ['devnet/contracts']),
  layer('devnet/demo', ['devnet/contracts', 'devnet/wallets']),
  layer('devnet/fork', []),
  layer('devnet/genesis', ['devnet/contracts', 'devnet/store']),
  layer('devnet/collate', ['devnet/genesis', 'devnet/store']),
  layer('devnet/liteserver', ['devnet/store']),
  layer('devnet/replay', ['devnet/store']),
  layer('devnet/network', [
    'devnet/store',
    'devnet/contracts',
    'devnet/fork',
    'devnet/wallets',
    'devnet/demo',
    'devnet/genesis',
    'devnet/collate',
    'devnet/liteserver',
  ]),
]

/** Packages that only a clone has, and the files that need nothing else: the first are bundled for the browser, the last bundles them. */
export const clonePackages: readonly { readonly within: string; readonly packages: readonly string[] }[] = [
  { within: 'src/explorer/', packages: ['preact'] },
  { within: 'src/reference/', packages: ['preact'] },
  { within: 'src/cli/serve/pages/bundlePages.ts', packages: ['esbuild'] },
]

/** Folders that only compute: no npm package, no file, socket or clock; of Node only these modules. */
export const pureFolders: readonly string[] = ['primitives', 'codec', 'chain', 'contracts', 'actions']
export const pureModules: readonly string[] = ['node:crypto']

/** Files beside the sources that only tests and measurements run. Sources never import them; they may import anything. */
export const testSuffixes: readonly string[] = ['.test.ts', '.test-d.ts', '.bench.ts']
