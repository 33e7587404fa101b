import type { NodePool } from '../../node/pool/NodePool.ts'
import { CodedError } from '../../primitives/errors.ts'
import { type Database, indexHeadQuery } from '../../store/connect/Database.ts'
import { DatabaseTimeoutError, reasonOf } from '../../store/errors.ts'
import { accountStatesQuery } from '../../store/reader/accounts.ts'
import { queryBuilder } from '../../store/schema/tables.ts'
import { findHeadAge } from './metrics.ts'

/** What must be there for answers to be right and new, and from when on it is not. */
export type ReadinessOptions = {
  readonly pool?: Pick<NodePool, 'status' | 'bestSeqno'> | undefined
  readonly database?: Pick<Database, 'reader' | 'stats'> | undefined
  /** Tells why the index cannot be trusted as one of the chain; `undefined` where it can. */
  readonly findDisagreement?: (() => Promise<string | undefined>) | undefined
  /** How old the newest block of the network may be; without it, any age is right. */
  readonly maxHeadAgeMs?: number | undefined
  /** How far the index may be behind the network. */
  readonly maxIndexLagMs?: number | undefined
}

export type ReadyReport = {
  readonly ready: boolean
  /** Why it is not. */
  readonly reasons: readonly string[]
  readonly node?: {
    readonly servers: number
    readonly alive: number
    readonly seqno?: number
    readonly headAge?: number
  }
  readonly index?: { readonly seqno?: number; readonly lag?: number }
  /** One that is not used does not make the process unready: others are read, or the primary. */
  readonly replicas?: readonly {
    readonly used: boolean
    readonly seqno?: number
    /** Seconds behind the primary. */
    readonly lag?: number
  }[]
}

export interface Readiness {
  check(): Promise<ReadyReport>
  /** From now on it is not ready: nothing new is to be sent here. */
  drain(): void
}

/** A report is cached for this time, so that frequent probes do not load the database. */
const KEPT_MS = 250
const DATABASE_MS = 2000
/** The classifier retries: a failure that lasts less long, such as a serialization conflict, is no outage. */
const CLASSIFIER_MS = 5000

export const createReadiness = (options: ReadinessOptions): Readiness => {
  let isDraining = false
  let kept: { readonly at: number; readonly report: Promise<ReadyReport> } | undefined
  return {
    check: async () => {
      const now = performance.now()
      if (kept === undefined || now - kept.at > KEPT_MS) kept = { at: now, report: makeReport(options) }
      const report = await kept.report
      if (!isDraining) return report
      return { ...report, ready: false, reasons: ['The process is about to stop.', ...report.reasons] }
    },
    drain: () => {
      isDraining = true
    },
  }
}

const makeReport = async (options: ReadinessOptions): Promise<ReadyReport> => {
  const reasons: string[] = []
  const node = options.pool && checkNode(options.pool, options.maxHeadAgeMs, reasons)
  const index = options.database && (await checkIndex(options, reasons))
  if (options.database !== undefined && index?.seqno !== undefined) {
    await Promise.all([checkReads(options.database, reasons), checkClassifier(options.database, reasons)])
  }
  const disagreement = await options.findDisagreement?.()
  if (disagreement !== undefined) reasons.push(disagreement)
  return {
    ready: reasons.length === 0,
    reasons,
    ...(node !== undefined && { node }),
    ...(index !== undefined && { index }),
    ...(options.database !== undefined && describeReplicas(options.database)),
  }
}

const describeReplicas = (database: Pick<Database, 'stats'>): Pick<ReadyReport, 'replicas'> => {
  const replicas = database.stats().servers.filter(({ server }) => server !== 'writer')
  if (replicas.length === 0) return {}
  return {
    replicas: replicas.map(({ isUsable, head, lagMs }) => ({
      used: isUsable,
      ...(head !== undefined && { seqno: head.seqno }),
      ...(lagMs !== undefined && { lag: Math.round(lagMs / 100) / 10 }),
    })),
  }
}

const checkNode = (
  pool: NonNullable<ReadinessOptions['pool']>,
  maxHeadAgeMs: number | undefined,
  reasons: string[],
): NonNullable<ReadyReport['node']> => {
  const { status, bestSeqno: seqno } = pool
  const alive = status.filter(({ condition }) => condition === 'alive').length
  const headAge = findHeadAge(pool)
  if (alive === 0) reasons.push(`None of ${status.length} liteservers answers.`)
  if (maxHeadAgeMs !== undefined && headAge !== undefined && headAge * 1000 > maxHeadAgeMs) {
    reasons.push(`The newest block of the network is ${headAge} s old, and ${maxHeadAgeMs / 1000} s are allowed.`)
  }
  return {
    servers: status.length,
    alive,
    ...(seqno !== undefined && { seqno }),
    ...(headAge !== undefined && { headAge }),
  }
}

const checkIndex = async (
  { database, pool, maxIndexLagMs }: ReadinessOptions,
  reasons: string[],
): Promise<NonNullable<ReadyReport['index']>> => {
  try {
    const [row] = await within(DATABASE_MS, async () => database!.reader().keyedReads.read(indexHeadQuery().compile()))
    if (row === undefined) {
      reasons.push('Nothing is indexed yet.')
      return {}
    }
    const { mc_seqno: seqno, gen_utime: utime } = row
    // Where the network stands still, the index that has all of it is up to date.
    const hasAll = pool?.bestSeqno !== undefined && seqno >= pool.bestSeqno
    const headAt = Date.now() / 1000 - ((pool && findHeadAge(pool)) ?? 0)
    const lag = hasAll ? 0 : Math.max(0, Math.round(headAt - utime))
    if (maxIndexLagMs !== undefined && lag * 1000 > maxIndexLagMs) {
      reasons.push(`The index is ${lag} s behind the network, and ${maxIndexLagMs / 1000} s are allowed.`)
    }
    return { seqno, lag }
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    reasons.push(`The database does not answer: ${error.message}`)
    return {}
  }
}

/**
 * The head is one small table; other reads may fail while it is read. A list asks every worker of a cluster, the state of an account
 * one of them.
 */
const checkReads = async (database: Pick<Database, 'reader'>, reasons: string[]): Promise<void> => {
  const { listReads, keyedReads } = database.reader()
  try {
    const [newest] = await within(DATABASE_MS, async () => listReads.read(newestTransactionQuery().compile()))
    if (newest === undefined) return
    const query = accountStatesQuery({ accounts: [newest.account], data: 'none' }).compile()
    await within(DATABASE_MS, async () => keyedReads.read(query))
  } catch (error) {
    reasons.push(`The index cannot be read: ${reasonOf(error)}`)
  }
}

const newestTransactionQuery = () =>
  queryBuilder.selectFrom('transactions').select('account').orderBy('lt', 'desc').limit(1)

/** The classifier runs in the process that indexes, and notes in the database that it fails. */
const checkClassifier = async (database: Pick<Database, 'reader'>, reasons: string[]): Promise<void> => {
  try {
    const [row] = await within(DATABASE_MS, async () => database.reader().keyedReads.read(classifierQuery().compile()))
    const { classifier_failing_since: since, classifier_failure: failure } = row ?? {}
    if (!since || Date.now() - since.getTime() < CLASSIFIER_MS) return
    reasons.push(`Actions are not classified since ${since.toISOString()}: ${failure}`)
  } catch (error) {
    reasons.push(`The state of the classifier cannot be read: ${reasonOf(error)}`)
  }
}

const classifierQuery = () =>
  queryBuilder.selectFrom('index_state').select(['classifier_failing_since', 'classifier_failure'])

const within = async <T>(timeoutMs: number, work: () => Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_done, fail) => {
    timer = setTimeout(() => fail(new DatabaseTimeoutError(`It took longer than ${timeoutMs} ms.`)), timeoutMs)
  })
  try {
    return await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}
