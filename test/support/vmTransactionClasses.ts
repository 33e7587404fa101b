import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Verdict } from './vmClasses.ts'
import { versionOf } from './vmContext.ts'
import { findKnownError, olderConfig } from './vmKnownErrors.ts'
import type { VmOracle } from './vmOracles.ts'
import { compareReply, type VmReply, type VmRequest, VmRequests } from './vmRequests.ts'
import { findSourceKind } from './vmTransactionKinds.ts'
import { EMULATED_TRANSACTIONS, type ReducedTransaction, TransactionReducer } from './vmTransactionReducer.ts'

/** Differences in transactions that came down to the same: a line of the file that a campaign writes. */
export type TransactionClass = {
  readonly fields: readonly string[]
  readonly verdict: Verdict
  /** What the source says, where it decides. */
  readonly reason?: string
  readonly count: number
  /** The smallest case, which expects our answer. */
  readonly request: VmRequest
  readonly theirs: VmReply
}

export type Judged = Pick<TransactionClass, 'verdict' | 'reason'>

/** Reduces transactions on which another implementation differs, has them judged, and counts those that came down to the same. */
export class TransactionClasses {
  readonly unreduced: VmRequest[] = []
  private readonly classes = new Map<string, TransactionClass>()
  private readonly oracle: VmOracle
  private readonly judge: VmOracle
  private readonly reducer: TransactionReducer
  private readonly machine = new VmRequests()

  constructor(oracle: VmOracle, judge: VmOracle) {
    this.oracle = oracle
    this.judge = judge
    this.reducer = new TransactionReducer(oracle)
  }

  get all(): readonly TransactionClass[] {
    return [...this.classes.values()].toSorted((a, b) => b.count - a.count)
  }

  /** Reduces a request, and says who is right; `undefined` where the two do not differ. */
  async add(request: VmRequest): Promise<Judged | undefined> {
    const reduced = await this.reducer.reduce(request)
    if (reduced === undefined) {
      this.unreduced.push(request)
      return undefined
    }
    let judged = await this.judgeOne(reduced)
    if (judged.verdict === 'open') judged = await this.judgeWithoutLimit(reduced)
    const { ours, theirs, fields } = reduced
    const expect = hashesOf(ours)
    this.merge({ fields, ...judged, count: 1, request: { ...reduced.request, expect }, theirs: hashesOf(theirs) })
    return judged
  }

  private async judgeOne(reduced: ReducedTransaction): Promise<Judged> {
    const { request, ours, theirs } = reduced
    if (versionOf(request.config!) <= EMULATED_TRANSACTIONS) {
      const [answer] = await this.judge.answer([request])
      if (answer !== undefined && compareReply(ours, answer).length === 0) return { verdict: 'ours' }
      if (answer !== undefined) return { verdict: compareReply(answer, theirs).length === 0 ? 'theirs' : 'neither' }
    }
    const isTheirs = (changed: VmRequest): boolean => compareReply(this.machine.run(changed), theirs).length === 0
    const reason = findSourceKind(reduced) ?? findKnownError(this.oracle.name, request, isTheirs)
    return reason === undefined ? { verdict: 'open' } : { verdict: 'source', reason }
  }

  /** The other machine has no limit for all messages together: what it does wrong besides shows by a configuration without one. */
  private async judgeWithoutLimit({ request, theirs }: ReducedTransaction): Promise<Judged> {
    const config = olderConfig(request.config!)
    if (config === request.config) return { verdict: 'open' }
    const [unlimited] = await this.oracle.answer([{ ...request, config }])
    if (unlimited === undefined || compareReply(unlimited, theirs).length > 0) return { verdict: 'open' }
    const reduced = await this.reducer.reduce({ ...request, config })
    if (reduced === undefined) return { verdict: 'open' }
    const { verdict, reason } = await this.judgeOne(reduced)
    if (verdict !== 'ours' && verdict !== 'source') return { verdict: 'open' }
    return {
      verdict: 'source',
      reason: `has no limit for the messages of a transaction together; also: ${reason ?? 'judged by the emulator'}`,
    }
  }

  private merge(found: TransactionClass): void {
    const key = keyOf(found)
    const known = this.classes.get(key)
    const smaller = known === undefined || sizeOf(found) < sizeOf(known) ? found : known
    this.classes.set(key, { ...smaller, count: found.count + (known?.count ?? 0) })
  }

  read(path: string): void {
    if (existsSync(path)) for (const known of readTransactionClasses(path)) this.merge(known)
  }

  write(path: string): void {
    const text = this.all.map((each) => `${JSON.stringify(each)}\n`).join('')
    writeFileSync(path, path.endsWith('.gz') ? gzipSync(text, { level: 9 }) : text)
  }
}

const keyOf = ({ verdict, reason, fields }: TransactionClass): string => `${verdict} ${reason} ${fields.join()}`

const sizeOf = ({ request }: TransactionClass): number => request.account!.length + (request.message?.length ?? 0)

const hashesOf = ({ accepted, transactionHash, newAccountHash }: VmReply): VmReply => ({
  accepted,
  ...(transactionHash === undefined ? {} : { transactionHash, newAccountHash }),
})

export const readTransactionClasses = (path: string): TransactionClass[] => {
  const bytes = readFileSync(path)
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TransactionClass)
}
