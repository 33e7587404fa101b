import { fromBase64 } from '../../src/primitives/base64.ts'
import { toHex } from '../../src/primitives/hex.ts'

/** Objects of the demonstration network. Hashes are in base64. */
export type ExplorerSample = {
  readonly transaction: string
  readonly message: string
  readonly account: string
  /** Of a trace of several steps. */
  readonly trace: string
}

export type ExplorerRoute = {
  readonly name: string
  readonly path: string
  /** Selector of the content that shows that the page has loaded. */
  readonly ready: string
  /** Of the document, if it is not 200. */
  readonly status?: number
}

export const hexOf = (base64: string): string => toHex(fromBase64(base64))

/**
 * Every page of the explorer, in one place: each is opened on a phone and on a desktop, in both themes, and checked for sideways scroll,
 * console errors and accessibility. A new page is one line here. `first` is the address of the first row of a list of v3.
 */
export const listExplorerRoutes = async (
  sample: ExplorerSample,
  first: (endpoint: string) => Promise<string>,
): Promise<readonly ExplorerRoute[]> => [
  { name: 'home', path: '/', ready: '.action' },
  { name: 'account', path: `/account/${sample.account}`, ready: '.action' },
  { name: 'jetton-account', path: `/account/${await first('jetton/masters')}`, ready: '.action' },
  { name: 'account-filters', path: `/account/${sample.account}?dir=out&result=ok`, ready: '.filters' },
  { name: 'account-balance', path: `/account/${sample.account}?tab=balance`, ready: '.balance-line' },
  {
    name: 'account-methods',
    path: `/account/${await first('jetton/masters')}?tab=methods&call=get_jetton_data`,
    ready: '.stack-values',
  },
  { name: 'account-code', path: `/account/${sample.account}?tab=code`, ready: '.storage-fields' },
  { name: 'transaction', path: `/tx/${hexOf(sample.transaction)}`, ready: '.phase' },
  { name: 'debugger', path: `/tx/${hexOf(sample.transaction)}#debugger`, ready: '.vm-step' },
  { name: 'trace', path: `/trace/${hexOf(sample.trace)}`, ready: '.tree-node' },
  { name: 'block', path: '/block/-1/8000000000000000/3', ready: '.table tbody tr' },
  { name: 'blocks', path: '/blocks', ready: '.shard' },
  { name: 'tokens', path: '/tokens', ready: '.holding' },
  { name: 'jetton', path: `/jetton/${await first('jetton/masters')}`, ready: '.ranking' },
  { name: 'collection', path: `/collection/${await first('nft/collections')}`, ready: '.nft-tile' },
  { name: 'nft', path: `/nft/${await first('nft/items')}`, ready: '.nft-body' },
  { name: 'dns', path: '/dns/chaincenter.ton', ready: '.action' },
  { name: 'validators', path: '/validators', ready: '.ranking' },
  { name: 'config', path: '/config', ready: '.param' },
  { name: 'shards', path: '/shards', ready: '.shard-block' },
  { name: 'faucet', path: '/faucet', ready: '.facts' },
  { name: 'send', path: '/send', ready: '.form' },
  { name: 'not-found', path: '/no/such/page', ready: '.lost', status: 404 },
  { name: 'reference', path: '/docs', ready: 'h1' },
]

const MAX_LOOKS = 600

/** Of the first list in the answer of an endpoint. The demonstration deploys its contracts one after the other: it is waited for. */
export const firstAddress = async (base: string, endpoint: string): Promise<string> => {
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const answer = (await (await fetch(`${base}/${endpoint}?limit=1`)).json()) as Readonly<Record<string, unknown>>
    const rows = Object.values(answer).find(Array.isArray) as readonly { readonly address?: string }[] | undefined
    const address = rows?.[0]?.address
    if (address !== undefined) return address
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${endpoint} has no row with an address.`)
}
