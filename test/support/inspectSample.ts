import type { ContractState, RunContext, VirtualMachine } from '../../src/chain/ports.ts'
import { dnsZones } from '../../src/contracts/dns/domainItems.ts'
import type { DecodedBlockSet, TokenRequest, TouchedAccount } from '../../src/indexer/blockSets.ts'
import type { InspectedContracts, ResolvedAccount } from '../../src/indexer/IndexBatch.ts'
import { createInspector, type Inspector, type InspectorOptions } from '../../src/indexer/inspect/inspectBatch.ts'
import type { ItemRow, StoredContracts, StoredToken, WalletRow } from '../../src/indexer/inspect/knownContracts.ts'
import type { ChainStates } from '../../src/indexer/ports.ts'
import { type Address, addressKeyOf, formatRawAddress } from '../../src/primitives/Address.ts'
import { bytesEqual, concatBytes } from '../../src/primitives/bytes.ts'
import { silentLogger } from './databaseServer.ts'
import { filled } from './sampleMessages.ts'
import { sampleContext } from './vmSamples.ts'

const noRows = { bytes: new Uint8Array(0), ends: new Uint32Array(0) }

/** A state as a block set leaves it: of a contract, or of an account that is gone. */
export type SampleState = { readonly lt: bigint } & ({ readonly contract: ContractState } | { readonly gone: Address })

/** A request that an account got, without the number of its transaction. */
type WithoutNumber<T> = T extends unknown ? Omit<T, 'transaction'> : never
export type SampleRequest = { readonly to: Address; readonly lt: bigint; readonly request: WithoutNumber<TokenRequest> }

const addressOf = (state: SampleState): Address => ('gone' in state ? state.gone : state.contract.address)

const touch = (state: SampleState, seqno: number): TouchedAccount => {
  const { workchain } = addressOf(state)
  const contract = 'contract' in state ? state.contract : undefined
  return {
    account: addressKeyOf(addressOf(state)),
    workchain,
    blockShard: 1n << 63n,
    blockSeqno: seqno,
    lastLt: state.lt,
    lastHash: filled(9),
    now: 1_700_000_000 + seqno,
    stateHash: filled(8),
    status: contract === undefined ? 'nonexist' : 'active',
    balance: contract?.balance.grams ?? 0n,
    extraCurrencies: undefined,
    frozenHash: undefined,
    codeHash: contract?.code.hash(),
    dataHash: contract?.data.hash(),
  }
}

/** A block set in which these accounts were touched and got these requests. */
export const sampleBlockSet = (
  seqno: number,
  states: readonly SampleState[],
  requests: readonly SampleRequest[] = [],
): DecodedBlockSet => ({
  seqno,
  genUtime: 1_700_000_000 + seqno,
  rootHash: filled(1),
  isKeyBlock: false,
  blocks: [],
  previousBlocks: [],
  shardTops: [],
  transactions: {
    count: requests.length,
    lts: BigInt64Array.from(requests, ({ lt }) => lt),
    nows: Int32Array.from(requests, () => 1_700_000_000 + seqno),
    hashes: new Uint8Array(32 * requests.length),
    accounts: Uint8Array.from(concatBytes(requests.map(({ to }) => addressKeyOf(to)))),
    inKinds: new Uint8Array(requests.length),
    inHashes: new Uint8Array(32 * requests.length),
    inNormalHashes: new Uint8Array(32 * requests.length),
    outStarts: new Uint32Array(requests.length + 1),
    rows: noRows,
  },
  messages: {
    count: 0,
    kinds: new Uint8Array(0),
    hashes: new Uint8Array(0),
    lts: new BigInt64Array(0),
    rows: noRows,
  },
  contents: { count: 0, hashes: new Uint8Array(0), rows: noRows },
  accounts: states.map((state) => touch(state, seqno)),
  tokenRequests: requests.map(({ request }, transaction) => ({ ...request, transaction })) as TokenRequest[],
  digest: filled(2),
})

/** What the newest of these states have. */
export const resolveSample = (states: readonly SampleState[]): ResolvedAccount[] => [
  ...new Map(
    states.map((state) => [
      formatRawAddress(addressOf(state)),
      {
        account: addressKeyOf(addressOf(state)),
        lastLt: state.lt,
        code: 'contract' in state ? state.contract.code : undefined,
        data: 'contract' in state ? state.contract.data : undefined,
        extraCurrencies: undefined,
      },
    ]),
  ).values(),
]

const isAmong = (accounts: readonly Uint8Array[], account: Uint8Array): boolean =>
  accounts.some((it) => bytesEqual(it, account))

/** A store that remembers what batches brought. */
export class SampleKnown implements StoredContracts {
  readonly wallets: WalletRow[] = []
  readonly items: ItemRow[] = []
  readonly codes: Uint8Array[] = []

  async findTokens(accounts: readonly Uint8Array[]): Promise<readonly StoredToken[]> {
    const wallets = (await this.readWallets(accounts)).map(({ owner, jetton, ...row }): StoredToken => {
      const facts = { account: row.address, codeHash: row.code_hash, lastLt: row.last_lt }
      return { ...facts, kind: 'jettonWallet', owner, master: jetton }
    })
    const items = (await this.readItems(accounts)).map(({ index, collection_address, ...row }): StoredToken => {
      const facts = { account: row.address, codeHash: row.code_hash, lastLt: row.last_lt }
      return { ...facts, kind: 'nftItem', index, collection: collection_address ?? undefined }
    })
    return [...wallets, ...items]
  }

  readWallets(accounts: readonly Uint8Array[]): Promise<readonly WalletRow[]> {
    return Promise.resolve(this.wallets.filter(({ address }) => isAmong(accounts, address)))
  }

  readItems(accounts: readonly Uint8Array[]): Promise<readonly ItemRow[]> {
    return Promise.resolve(this.items.filter(({ address }) => isAmong(accounts, address)))
  }

  findStoredCodes(hashes: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
    return Promise.resolve(this.codes.filter((code) => isAmong(hashes, code)))
  }

  /** As when a batch is written. */
  take({ contracts, codes }: InspectedContracts): void {
    for (const row of contracts.jetton_wallets) keepNewest(this.wallets, row)
    for (const row of contracts.nft_items) keepNewest(this.items, row)
    for (const { code_hash } of codes) this.codes.push(code_hash)
  }
}

const keepNewest = <R extends WalletRow | ItemRow>(rows: R[], row: R): void => {
  const at = rows.findIndex(({ address }) => bytesEqual(address, row.address))
  if (at < 0) rows.push(row)
  else if (rows[at]!.last_lt <= row.last_lt) rows[at] = row
}

/** The same contracts after any block. Counts how often each was read. */
export const sampleStates = (
  contracts: readonly ContractState[],
  context: RunContext = sampleContext(),
): ChainStates & { readonly reads: string[] } => {
  const byAddress = new Map(contracts.map((contract) => [formatRawAddress(contract.address), contract]))
  const reads: string[] = []
  return {
    reads,
    forget: () => undefined,
    openAt: (seqno) =>
      Promise.resolve({
        block: { workchain: -1, shard: 1n << 63n, seqno, rootHash: filled(1), fileHash: filled(1) },
        findAccount: () => Promise.reject(new TypeError('Nobody should ask for an account.')),
        findContract: (address) => {
          reads.push(formatRawAddress(address))
          return Promise.resolve(byAddress.get(formatRawAddress(address)))
        },
        getContext: () => Promise.resolve(context),
      }),
  }
}

/** An inspector with the zones of the main network and an empty store. */
export const sampleInspector = (
  vm: VirtualMachine,
  states: ChainStates | undefined,
  options: Partial<InspectorOptions> = {},
): Inspector =>
  createInspector({
    vm,
    states,
    known: new SampleKnown(),
    dnsZones: dnsZones.main,
    logger: silentLogger,
    ...options,
  })

/** Looks at states in one block set. */
export const inspectStates = (
  inspector: Inspector,
  states: readonly SampleState[],
  requests: readonly SampleRequest[] = [],
): Promise<InspectedContracts> =>
  inspector.inspect([sampleBlockSet(1, states, requests)], resolveSample(states), new AbortController().signal)
