import { callServer, callV3 } from '../fetch/requests.ts'
import { describeKind, findKnownAccounts, friendlyOf, interfacesOf, mainKind, nameOf } from '../model/addressBook.ts'
import { hashToBase64, hashToHex, shorten } from '../model/addresses.ts'
import { formatAge } from '../model/format.ts'
import { parseSearch, type SearchTarget } from '../model/parseSearch.ts'
import type { IconName } from '../parts/basics.tsx'
import type { Route } from '../route/Route.ts'
import { setup } from '../setup.ts'

export type Suggestion = {
  readonly icon: IconName
  readonly kind: string
  readonly title: string
  readonly detail: string
  readonly to: Route
}

const MASTER_SHARD = '8000000000000000'

/** Suggestions for a text. Only existing objects are suggested, as far as that can be checked. */
export const findSuggestions = async (text: string, signal: AbortSignal): Promise<Suggestion[]> => {
  const targets = parseSearch(text)
  const found = await Promise.all([
    suggestKnown(text),
    ...targets.map((target) => findTarget(target, signal)),
    // An address, a hash or a block means nothing else.
    ...(targets.every(({ kind }) => kind === 'domain' || kind === 'seqno') ? [findNames(text, signal)] : []),
  ])
  return found.flat()
}

/** Accounts with a name on this network. */
const suggestKnown = (text: string): Suggestion[] =>
  findKnownAccounts(text).map(([raw]) => suggestAccount(raw, 'Known account', shorten(friendlyOf(raw), 8, 8)))

type FoundNames = {
  readonly tokens: readonly { address: string; type: string; name?: string; symbol?: string }[]
  readonly comments: readonly { trace: string; utime: number; comment: string }[]
}

const MAX_NAME_LENGTH = 64

/** Tokens by the beginning of their name or symbol, and recent comments. */
const findNames = async (text: string, signal: AbortSignal): Promise<Suggestion[]> => {
  const trimmed = text.trim()
  if (!setup.hasIndex || trimmed === '' || trimmed.length > MAX_NAME_LENGTH) return []
  const { tokens, comments } = (await callServer('/search', { text: trimmed }, { signal })).body as FoundNames
  return [
    ...tokens.map(
      ({ address, type, name, symbol }): Suggestion => ({
        icon: 'token',
        kind: type === 'jetton_masters' ? 'Jetton' : 'NFT collection',
        title: name ?? symbol ?? shorten(friendlyOf(address), 12, 10),
        detail: [symbol, shorten(friendlyOf(address), 6, 6)].filter((each) => each !== undefined).join(' · '),
        to: { page: type === 'jetton_masters' ? 'jetton' : 'collection', key: friendlyOf(address) },
      }),
    ),
    ...comments.map(
      ({ trace, utime, comment }): Suggestion => ({
        icon: 'comment',
        kind: 'Comment',
        title: `“${comment.slice(0, MAX_NAME_LENGTH)}”`,
        detail: `${formatAge(utime, Date.now())}, ${shorten(trace, 6, 6)}`,
        to: { page: 'trace', hash: trace },
      }),
    ),
  ]
}

const findTarget = (target: SearchTarget, signal: AbortSignal): Promise<Suggestion[]> => {
  switch (target.kind) {
    case 'address':
      return findAccount(target.raw, signal)
    case 'hash':
      return findByHash(target.hex, signal)
    case 'domain':
      return findDomain(target.domain, signal)
    case 'block':
      return Promise.resolve([suggestBlock(target.workchain, target.shard, target.seqno)])
    case 'seqno':
      return findSeqno(target.seqno, signal)
  }
}

const suggestAccount = (raw: string, kind: string, detail: string): Suggestion => {
  const friendly = friendlyOf(raw)
  return {
    icon: 'account',
    kind,
    title: nameOf(raw) ?? shorten(friendly, 12, 10),
    detail,
    to: { page: 'account', address: friendly },
  }
}

const suggestBlock = (workchain: number, shard: string, seqno: number): Suggestion => ({
  icon: 'block',
  kind: workchain === -1 ? 'Masterchain block' : 'Shard block',
  title: String(seqno),
  detail: `(${workchain}, ${shard}, ${seqno})`,
  to: { page: 'block', workchain, shard, seqno },
})

const findAccount = async (raw: string, signal: AbortSignal): Promise<Suggestion[]> => {
  if (!setup.hasIndex) return [suggestAccount(raw, 'Account', raw)]
  await callV3('addressBook', { address: [raw] }, signal).catch(() => undefined)
  const kind = mainKind(interfacesOf(raw))
  return [suggestAccount(raw, kind === undefined ? 'Account' : describeKind(kind), shorten(raw, 14, 10))]
}

const findByHash = async (hex: string, signal: AbortSignal): Promise<Suggestion[]> => {
  const asAccount = suggestAccount(`0:${hex.toUpperCase()}`, 'Account', 'basechain account with this hash')
  if (!setup.hasIndex) return [asAccount]
  const hash = [hashToBase64(hex)]
  const [transactions, receivers, blocks, pending, accounts] = await Promise.all([
    callV3('transactions', { hash, limit: 1 }, signal),
    callV3('transactionsByMessage', { msg_hash: hash, limit: 1 }, signal),
    callV3('blocks', { root_hash: hash[0]!, limit: 1 }, signal),
    callV3('pendingTraces', { ext_msg_hash: hash }, signal),
    callV3('accountStates', { address: [`0:${hex}`], include_boc: false }, signal),
  ])
  const found: Suggestion[] = []
  for (const { account } of transactions.result.transactions) {
    const detail = `of ${nameOf(account) ?? shorten(friendlyOf(account), 8, 8)}`
    const title = shorten(hex, 12, 10)
    found.push({ icon: 'transaction', kind: 'Transaction', title, detail, to: { page: 'transaction', hash: hex } })
    found.push({
      icon: 'tree',
      kind: 'Trace',
      title,
      detail: 'the trace of this transaction',
      to: { page: 'trace', hash: hex },
    })
  }
  for (const { hash: received } of receivers.result.transactions) {
    const detail = `received by transaction ${shorten(hashToHex(received), 8, 6)}`
    found.push({ icon: 'send', kind: 'Message', title: shorten(hex, 12, 10), detail, to: { page: 'trace', hash: hex } })
  }
  if (pending.result.traces.length > 0 && receivers.result.transactions.length === 0) {
    const title = shorten(hex, 12, 10)
    found.push({
      icon: 'tree',
      kind: 'Pending trace',
      title,
      detail: 'pending, not in a block yet',
      to: { page: 'trace', hash: hex },
    })
  }
  for (const { workchain, shard, seqno } of blocks.result.blocks) found.push(suggestBlock(workchain, shard, seqno))
  if (accounts.result.accounts.length > 0) found.push(asAccount)
  return found
}

const findSeqno = async (seqno: number, signal: AbortSignal): Promise<Suggestion[]> => {
  if (!setup.hasIndex) return [suggestBlock(-1, MASTER_SHARD, seqno)]
  const { result } = await callV3('blocks', { seqno, limit: 6 }, signal)
  return result.blocks
    .sort((a, b) => a.workchain - b.workchain)
    .map((block) => suggestBlock(block.workchain, block.shard, block.seqno))
}

const findDomain = async (domain: string, signal: AbortSignal): Promise<Suggestion[]> => {
  // Domains need the index.
  if (!setup.hasIndex) return []
  const { result } = await callV3('dns/records', { domain, limit: 3 }, signal)
  return result.records.flatMap(({ domain: name, dns_wallet: wallet, nft_item_address: item }): Suggestion[] => [
    ...(wallet === null
      ? []
      : [
          {
            icon: 'globe' as const,
            kind: 'Domain',
            title: name,
            detail: `resolves to ${shorten(friendlyOf(wallet), 8, 8)}`,
            to: { page: 'account' as const, address: friendlyOf(wallet) },
          },
        ]),
    {
      icon: 'globe',
      kind: 'Name',
      title: name,
      detail: 'DNS item contract',
      to: { page: 'account', address: friendlyOf(item) },
    },
  ])
}
