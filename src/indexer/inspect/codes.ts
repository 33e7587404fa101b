import type { RunContext } from '../../chain/ports.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { openRaw } from '../../codec/cell/CellReader.ts'
import { LIBRARY_REFERENCE } from '../../codec/cell/exotic.ts'
import { packCell } from '../../codec/stored/packCell.ts'
import { findMethodIds } from '../../contracts/interfaces/listInterfaces.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import { LruCache } from '../../primitives/LruCache.ts'
import type { DecodedBlockSet } from '../blockSets.ts'
import type { InspectedContracts, ResolvedAccount } from '../IndexBatch.ts'
import { type NewestAccount, newestAccountsOf } from '../newestAccounts.ts'
import type { ChainStates, StateView } from '../ports.ts'
import { StateMismatchError } from '../sources/checkRawBlock.ts'
import type { StoredContracts } from './knownContracts.ts'

/** The state after a batch, opened on demand: most blocks of a quiet network touch nothing that is inspected. */
export class BatchView {
  private readonly states: ChainStates
  private readonly last: DecodedBlockSet
  private readonly signal: AbortSignal
  private view: Promise<StateView> | undefined
  private context: Promise<RunContext> | undefined

  constructor(states: ChainStates, last: DecodedBlockSet, signal: AbortSignal) {
    this.states = states
    this.last = last
    this.signal = signal
  }

  open(): Promise<StateView> {
    this.view ??= this.openAnew()
    return this.view
  }

  getContext(): Promise<RunContext> {
    this.context ??= this.open().then((view) => view.getContext())
    return this.context
  }

  private async openAnew(): Promise<StateView> {
    const { seqno, rootHash } = this.last
    const view = await this.states.openAt(seqno, this.signal)
    if (bytesEqual(view.block.rootHash, rootHash)) return view
    this.states.forget()
    const came = toHex(view.block.rootHash)
    throw new StateMismatchError(
      `Expected states after masterchain block ${seqno} with root hash ${toHex(rootHash)}, but got ${came}.`,
    )
  }
}

const ENTRY_BYTES = 256
const METHOD_BYTES = 16

const noMethods: ReadonlySet<number> = new Set()

/** The methods of codes, each code read once. */
export class CodeFacts {
  private readonly known: LruCache<ReadonlySet<number>>

  constructor(maxBytes: number) {
    this.known = new LruCache(maxBytes)
  }

  /** `undefined` if the code, or the library it refers to, is not available. */
  async findMethods(
    code: Cell,
    codeHash: Uint8Array,
    view: BatchView | undefined,
  ): Promise<ReadonlySet<number> | undefined> {
    const key = toHex(codeHash)
    const before = this.known.find(key)
    if (before !== undefined) return before === noMethods ? undefined : before
    const body = code.exoticType === LIBRARY_REFERENCE ? await findLibrary(code, view) : code
    // A missing library may be published later.
    if (body === undefined) return undefined
    const ids = findMethodIds(body)
    const methods = ids === undefined ? noMethods : new Set(ids)
    this.known.set(key, methods, ENTRY_BYTES + METHOD_BYTES * methods.size)
    return methods === noMethods ? undefined : methods
  }
}

const findLibrary = async (code: Cell, view: BatchView | undefined): Promise<Cell | undefined> => {
  const context = await view?.getContext()
  const r = openRaw(code)
  r.skipBits(8)
  return context?.findLibrary?.(r.readBytes(32).slice())
}

/** The newest state of an account in a batch. */
export type NewestState = Omit<NewestAccount, 'seqno'> & {
  readonly key: string
  readonly resolved: ResolvedAccount | undefined
}

/** The newest state of every touched account. Each is inspected once, however often it changed. */
export const listStates = (
  blockSets: readonly DecodedBlockSet[],
  resolved: readonly ResolvedAccount[],
): ReadonlyMap<string, NewestState> => {
  const newest = newestAccountsOf(blockSets)
  const matched = newest.match(resolved)
  const states = new Map<string, NewestState>()
  for (const [k, { touched, sinceLt }] of newest.list.entries()) {
    const key = toHex(touched.account)
    states.set(key, { key, touched, sinceLt, resolved: matched[k] })
  }
  return states
}

type CodeRow = InspectedContracts['codes'][number]

/** Hashes of codes that the store has confirmed. */
export class StoredCodes {
  private readonly hashes = new LruCache<true>(8 << 20)

  /** The hashes that are not stored yet. */
  async filterNew(hashes: readonly string[], known: StoredContracts): Promise<readonly string[]> {
    const asked = hashes.filter((hash) => this.hashes.find(hash) === undefined)
    if (asked.length === 0) return []
    const stored = await known.findStoredCodes(asked.map((hash) => fromHex(hash)))
    for (const hash of stored) this.hashes.set(toHex(hash), true, 200)
    return asked.filter((hash) => this.hashes.find(hash) === undefined)
  }
}

/** The codes of a batch that are not stored yet, with their methods. */
export const listCodes = async (
  resolved: readonly ResolvedAccount[],
  newest: ReadonlyMap<string, NewestState>,
  facts: CodeFacts,
  stored: StoredCodes,
  known: StoredContracts,
  view: BatchView | undefined,
): Promise<CodeRow[]> => {
  const codes = new Map<string, Cell>()
  for (const account of resolved) {
    const { code } = account
    if (code === undefined || code === 'unknown') continue
    const state = newest.get(toHex(account.account))
    // Intermediate states within the batch are included only for their codes.
    const codeHash = state?.resolved === account ? state.touched.codeHash : undefined
    codes.set(toHex(codeHash ?? code.hash()), code)
  }
  const rows: CodeRow[] = []
  for (const hash of await stored.filterNew([...codes.keys()], known)) {
    const code = codes.get(hash)!
    const codeHash = fromHex(hash)
    const methods = await facts.findMethods(code, codeHash, view)
    rows.push({ code_hash: codeHash, code: packCell(code), methods: methods && Array.from(methods, BigInt) })
  }
  return rows
}
