const entityPages = ['jetton', 'nft', 'collection', 'dns', 'multisig', 'vesting'] as const
export type EntityPage = (typeof entityPages)[number]

const isEntity = (kind: string | undefined): kind is EntityPage => entityPages.some((each) => each === kind)

/** A page of the explorer. */
export type Route =
  | { readonly page: 'home' }
  | { readonly page: 'account'; readonly address: string }
  /** Without an index a transaction is found by its account and logical time only. */
  | {
      readonly page: 'transaction'
      readonly hash: string
      readonly account?: string
      readonly lt?: string
      /** Opens the debugger; its step is in the fragment. */
      readonly hasDebugger?: true
    }
  /** `isSent` shows the progress of a message that was sent just now; it is in the fragment. */
  | { readonly page: 'trace'; readonly hash: string; readonly isSent?: true }
  | { readonly page: 'block'; readonly workchain: number; readonly shard: string; readonly seqno: number }
  | { readonly page: 'blocks' }
  | { readonly page: 'faucet'; readonly to?: string }
  | { readonly page: 'send' }
  | { readonly page: 'usage' }
  /** A token, or another contract with a page of its own: by address, a domain by name. */
  | { readonly page: EntityPage; readonly key: string }
  | { readonly page: 'tokens' }
  /** All endpoints, or one of them. */
  | { readonly page: 'webhooks'; readonly id?: string }
  | { readonly page: 'validators' | 'config' | 'shards' }
  | { readonly page: 'unknown'; readonly path: string }

const plainPages = {
  '/': 'home',
  '/blocks': 'blocks',
  '/send': 'send',
  '/usage': 'usage',
  '/tokens': 'tokens',
  '/validators': 'validators',
  '/config': 'config',
  '/shards': 'shards',
} as const

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export const parseRoute = (path: string, query: string): Route => {
  const trimmed = path.length > 1 ? path.replace(/\/+$/, '') : path
  const asked = new URLSearchParams(query)
  if (trimmed in plainPages) return { page: plainPages[trimmed as keyof typeof plainPages] }
  const [, kind, ...rest] = trimmed.split('/')
  const first = decode(rest.join('/'))
  if (kind === 'faucet') return { page: 'faucet', ...(asked.has('to') && { to: asked.get('to')! }) }
  if (kind === 'webhooks') return { page: 'webhooks', ...(first !== '' && { id: first }) }
  if (first === '') return { page: 'unknown', path }
  if (kind === 'account') return { page: 'account', address: first }
  if (isEntity(kind)) return { page: kind, key: first }
  if (kind === 'trace') return { page: 'trace', hash: first }
  if (kind === 'tx') {
    const [account, lt] = [asked.get('account'), asked.get('lt')]
    return { page: 'transaction', hash: first, ...(account !== null && lt !== null && { account, lt }) }
  }
  const block = /^(-?\d{1,10})\/([0-9a-fA-F]{1,16})\/(\d{1,10})$/.exec(rest.join('/'))
  if (kind === 'block' && block !== null) {
    return { page: 'block', workchain: Number(block[1]), shard: block[2]!.toUpperCase(), seqno: Number(block[3]) }
  }
  return { page: 'unknown', path }
}

export const formatRoute = (route: Route): string => {
  switch (route.page) {
    case 'home':
      return '/'
    case 'account':
      return `/account/${route.address}`
    case 'trace':
      return `/trace/${route.hash}${route.isSent === true ? '#sent' : ''}`
    case 'transaction':
      return `/tx/${route.hash}${route.account === undefined ? '' : `?account=${route.account}&lt=${route.lt}`}${route.hasDebugger === true ? '#debugger' : ''}`
    case 'block':
      return `/block/${route.workchain}/${route.shard}/${route.seqno}`
    case 'faucet':
      return route.to === undefined ? '/faucet' : `/faucet?to=${encodeURIComponent(route.to)}`
    case 'jetton':
    case 'nft':
    case 'collection':
    case 'dns':
    case 'multisig':
    case 'vesting':
      return `/${route.page}/${encodeURIComponent(route.key)}`
    case 'blocks':
    case 'send':
    case 'usage':
    case 'tokens':
    case 'validators':
    case 'config':
    case 'shards':
      return `/${route.page}`
    case 'webhooks':
      return route.id === undefined ? '/webhooks' : `/webhooks/${encodeURIComponent(route.id)}`
    case 'unknown':
      return route.path
  }
}
