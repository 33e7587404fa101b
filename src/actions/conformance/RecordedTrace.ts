import type { Cell } from '../../codec/cell/Cell.ts'
import { emptyCell } from '../../codec/cell/CellWriter.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { fromBase64 } from '../../primitives/base64.ts'
import type { KnownAccount } from '../trace/AccountFacts.ts'
import type { TraceInput, TraceMessage, TraceTransaction } from '../trace/TraceInput.ts'

// The files are checked where they are used: what does not fit fails as a whole, and names its case.
// biome-ignore lint/suspicious/noExplicitAny: recorded JSON
type Json = any

export type RecordedTrace = { readonly trace: TraceInput; readonly accounts: ReadonlyMap<string, KnownAccount> }

/** A trace and what is known of its accounts, as recorded files have them. */
export const parseRecordedTrace = (file: Json): RecordedTrace => ({
  trace: {
    traceId: file.trace.trace_id,
    externalHash: file.trace.external_hash ?? undefined,
    externalHashNorm: file.trace.external_hash_norm ?? undefined,
    endLt: BigInt(file.trace.end_lt),
    endUtime: file.trace.end_utime,
    endSeqno: file.trace.mc_seqno_end,
    transactions: file.transactions.map(toTransaction),
  },
  accounts: new Map(Object.entries(file.accounts ?? {}).map(([address, known]) => [address, toKnown(known)])),
})

const toTransaction = (from: Json): TraceTransaction => ({
  hash: from.hash,
  account: from.account,
  lt: BigInt(from.lt),
  now: from.now,
  origStatus: from.orig_status,
  endStatus: from.end_status,
  isTickTock: from.descr === 'tick_tock',
  aborted: from.aborted === true,
  exitCode: from.compute_exit_code ?? undefined,
  skipReason: from.compute_skip_reason ?? undefined,
  inMessage: from.in_msg === null || from.in_msg === undefined ? undefined : toMessage(from.in_msg),
  outMessages: (from.out_msgs ?? []).map(toMessage).sort(byCreation),
})

const byCreation = (a: TraceMessage, b: TraceMessage): number =>
  (a.createdLt ?? 0n) < (b.createdLt ?? 0n) ? -1 : (a.createdLt ?? 0n) > (b.createdLt ?? 0n) ? 1 : 0

const toMessage = (from: Json): TraceMessage => ({
  hash: from.hash,
  source: from.source ?? undefined,
  destination: from.destination ?? undefined,
  value: bigintOf(from.value),
  extraCurrencies: from.extra_currencies ?? {},
  createdLt: bigintOf(from.created_lt),
  createdAt: from.created_at === null || from.created_at === undefined ? undefined : Number(from.created_at),
  opcode: from.opcode === null || from.opcode === undefined ? undefined : Number(from.opcode),
  bounce: from.bounce === true,
  body: cellOf(from.body) ?? emptyCell,
  initState: cellOf(from.init_state),
})

const bigintOf = (value: Json): bigint | undefined =>
  value === null || value === undefined ? undefined : BigInt(value)

const cellOf = (text: string | null | undefined): Cell | undefined =>
  text === null || text === undefined ? undefined : decodeSingleBoc(fromBase64(text))

const toKnown = (from: Json): KnownAccount => {
  if (from === null) return {}
  const { jetton_wallet: wallet, nft_item: item, nft_sale: sale, nft_auction: auction, dedust_pool: pool } = from
  return {
    jettonWallet: wallet && { owner: wallet.owner, jetton: wallet.jetton },
    nftItem: item && {
      index: bigintOf(item.index) ?? 0n,
      collection: item.collection ?? undefined,
      owner: item.owner ?? undefined,
      uri: item.content?.uri,
      codeHash: item.code_hash ?? undefined,
    },
    sale: sale && {
      nft: sale.nft_address ?? undefined,
      owner: sale.nft_owner_address ?? undefined,
      price: bigintOf(sale.full_price),
      marketplace: sale.marketplace_address ?? undefined,
      codeHash: sale.code_hash ?? undefined,
    },
    auction: auction && {
      nft: auction.nft_addr ?? undefined,
      owner: auction.nft_owner ?? undefined,
      lastBid: bigintOf(auction.last_bid),
      marketplace: auction.mp_addr ?? undefined,
      codeHash: auction.code_hash ?? undefined,
    },
    dedustPool: pool && { assets: pool.assets.map(assetOf) },
    isNominatorPool: (from.nominator_pool ?? false) !== false,
    multisigOrder: from.multisig_order && { signers: from.multisig_order.signers ?? [] },
    data: cellOf(from.account_data?.data_boc),
  }
}

const assetOf = (asset: Json): string | undefined => (asset?.is_ton === true ? undefined : asset?.address)
