import { corsHeaders } from '../../api/core/headers.ts'
import type { Dialect } from '../../api/core/Interface.ts'
import type { Mount } from '../../api/core/Mount.ts'
import { describeAsJson } from '../../api/core/openApi.ts'
import type { PlainAnswer, PlainRequest, PlainRoute } from '../../api/core/PlainRoute.ts'
import type { ExplorerSetup } from '../../explorer/ExplorerSetup.ts'
import type { ReferenceSetup } from '../../reference/ReferenceSetup.ts'
import { readVersion } from '../readVersion.ts'
import { codeListingRoute } from './codeListing.ts'
import { createStaticFile, PageServer, type StaticFile } from './pages/PageServer.ts'
import type { TokenRoutes } from './tokenRoutes.ts'

/** All HTML pages. */
export type OpenedPages = {
  /** The explorer and the API reference. */
  readonly routes: readonly PlainRoute[]
  /** API key usage, for operators. */
  readonly usage: readonly PlainRoute[]
  /** Assets of all pages. */
  readonly assets: PlainRoute
  /** The page at a path that does not exist. */
  readonly notFound: (request: PlainRequest) => Promise<PlainAnswer>
}

type ServiceOptions = Omit<ExplorerOptions, 'hasDebugger' | 'hasWebhooks'>

export const openPages = (options: ServiceOptions, mounts: readonly Mount[]): OpenedPages => {
  const pages = new PageServer()
  const isMounted = (prefix: string): boolean => mounts.some(({ definition }) => definition.prefix === prefix)
  const served = { hasDebugger: isMounted('/api/debug/v1'), hasWebhooks: isMounted('/api/webhooks/v1') }
  const { routes, usage, notFound } = openExplorer({ ...options, ...served }, pages)
  return { routes: [...routes, ...openReference(mounts, pages)], usage, notFound, assets: pages.assets }
}

type ExplorerOptions = {
  /** Whether v3 is served as well. */
  readonly hasIndex: boolean
  /** Whether the network is embedded, with its controls. */
  readonly hasControls: boolean
  /** Whether the debugger is served. */
  readonly hasDebugger: boolean
  readonly hasWebhooks: boolean
  /** Name of the network: main, test, embedded. */
  readonly network: string
  readonly dialect: Dialect
  /** Pictures of tokens and search by name, with an index. */
  readonly tokens: TokenRoutes | undefined
  /** Names of accounts by raw address. */
  readonly accounts?: ExplorerSetup['accounts']
}

/** Paths of the explorer. */
export const explorerPaths = [
  '/',
  '/account/*',
  '/tx/*',
  '/trace/*',
  '/block/*',
  '/blocks',
  '/faucet',
  '/send',
  '/jetton/*',
  '/nft/*',
  '/collection/*',
  '/dns/*',
  '/multisig/*',
  '/vesting/*',
  '/tokens',
  '/webhooks',
  '/webhooks/*',
  '/validators',
  '/config',
  '/shards',
] as const satisfies readonly PlainRoute['path'][]

/** The explorer, and the operator page with API key usage. */
export const openExplorer = (
  { hasIndex, hasControls, hasDebugger, hasWebhooks, network, dialect, tokens, accounts = {} }: ExplorerOptions,
  pages: PageServer,
): { readonly routes: PlainRoute[] } & Pick<OpenedPages, 'usage' | 'notFound'> => {
  const setup: Omit<ExplorerSetup, 'base'> = {
    hasIndex,
    hasControls,
    hasDebugger,
    hasWebhooks,
    hasImages: tokens?.hasImages === true,
    network,
    unit: dialect === 'ton' ? 'TON' : 'GRAM',
    version: readVersion(),
    accounts,
  }
  const page = { entry: 'explorer', title: 'chaincenter', setup } as const
  return {
    routes: [...pages.routes(page, explorerPaths), codeListingRoute, ...(tokens?.routes ?? [])],
    usage: pages.routes(page, ['/usage']),
    notFound: (request) => pages.answerNotFound(page, request),
  }
}

/** The API reference of the served APIs: in the neutral dialect at /docs, in the one of TON clients at /ton/docs. */
const openReference = (mounts: readonly Mount[], pages: PageServer): PlainRoute[] => {
  const isTon = ({ definition }: Mount): boolean => definition.prefix.startsWith('/ton/')
  const neutral = mounts.filter((mount) => !isTon(mount))
  const ton = mounts.filter(isTon)
  return [
    ...openDialect('chain', '', neutral, ton.length > 0, pages),
    // What has one spelling only is the same in both.
    ...(ton.length > 0 ? openDialect('ton', '/ton', [...ton, ...neutral], true, pages) : []),
    ...mounts.filter(({ definition }) => !definition.localOnly).flatMap(redirectsOf),
  ]
}

const openDialect = (
  dialect: ReferenceSetup['dialect'],
  base: '' | '/ton',
  mounts: readonly Mount[],
  hasBoth: boolean,
  pages: PageServer,
): PlainRoute[] => {
  const described = mounts
    .map(({ definition }) => ({ definition, name: nameOf(definition.prefix) }))
    // An interface may be below several prefixes.
    .filter(({ name }, k, all) => all.findIndex((each) => each.name === name) === k)
  const setup: Omit<ReferenceSetup, 'base'> = {
    version: readVersion(),
    dialect,
    hasBoth,
    documents: described.map(({ name }) => ({ name, url: `${base}/docs/${name}.json` })).sort(byOrder),
  }
  return [
    ...pages.routes({ entry: 'reference', title: 'chaincenter: API reference', setup }, [`${base}/docs`]),
    ...described.map(({ definition, name }) =>
      documentRoute(`${base}/docs/${name}.json`, () => describeAsJson(definition)),
    ),
  ]
}

/** The last part of a prefix that is a name: `/api/v2` is v2, `/api/streaming/v2` is streaming. */
const nameOf = (prefix: string): string => {
  const [last = '', name = ''] = prefix.split('/').reverse()
  return /^v[0-9]+$/.test(last) && name !== 'api' ? name : last
}

const parentOf = (prefix: string) => prefix.slice(0, prefix.lastIndexOf('/')) as `/${string}`

/** Redirects from the paths at which the original services have their reference pages and descriptions. */
const redirectsOf = ({ definition: { prefix } }: Mount): PlainRoute[] => {
  const name = nameOf(prefix)
  const page = `${prefix.startsWith('/ton/') ? '/ton' : ''}/docs#${name}`
  return [
    redirect(prefix, page),
    ...(prefix.endsWith(`/${name}`) ? [] : [redirect(parentOf(prefix), page)]),
    redirect(`${prefix}/index.html`, page),
    redirect(`${prefix}/doc.json`, `${prefix}/openapi.json`),
  ]
}

const redirect = (path: PlainRoute['path'], location: string): PlainRoute => ({
  method: 'GET',
  path,
  answer: ({ base }) => ({
    status: 302,
    headers: { ...corsHeaders, location: `${base}${location}`, 'cache-control': 'no-cache' },
    body: '',
  }),
})

// In the order of importance: controls last, and before them what is not listed.
const order = ['v2', 'v3', 'streaming', 'webhooks', 'emulate', 'debug', '', 'dev']
const rankOf = ({ name }: { readonly name: string }): number => order.indexOf(order.includes(name) ? name : '')
const byOrder = (a: { readonly name: string }, b: { readonly name: string }): number => rankOf(a) - rankOf(b)

/** Built on the first request. */
const documentRoute = (path: PlainRoute['path'], describe: () => string): PlainRoute => {
  let file: StaticFile | undefined
  return {
    method: 'GET',
    path,
    answer: (request: PlainRequest) => {
      file ??= createStaticFile(path, new TextEncoder().encode(describe()), { keep: 'checked' })
      return file.answer(request)
    },
  }
}
