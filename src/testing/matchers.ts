import { AssertionError } from 'node:assert'
import { readFileSync, writeFileSync } from 'node:fs'
import type { Transaction } from '@ton/core'
import { compareGas, formatGasDifferences, type GasSnapshot } from '../debug/gasSnapshot.ts'
import {
  describeMatch,
  describeTransaction,
  listTransactions,
  matchesTransaction,
  type TransactionMatch,
  type Transactions,
} from './transactions.ts'

// biome-ignore lint/performance/noBarrelFile: what users import from chaincenter/testing is in one file
export {
  type CoverageReport,
  formatCoverage,
  formatCoverageHtml,
  formatLcov,
} from '../debug/coverage.ts'
export { compareGas, formatGasDifferences, type GasDifference, type GasSnapshot } from '../debug/gasSnapshot.ts'
export { importSourceMap } from '../debug/sources/importers.ts'
export type { SourceMap } from '../debug/sources/SourceMap.ts'
export { GetMethodError, TraceUnfinishedError } from './errors.ts'
export type {
  ExternalOut,
  FlatTransaction,
  SendResult,
  TestEvent,
  TestTransaction,
  TransactionMatch,
  Transactions,
} from './transactions.ts'
export { flattenTransaction } from './transactions.ts'

/** The first transaction that matches, if there is one. */
export const findTransaction = <T extends Transaction>(
  given: T | readonly T[] | { readonly transactions: readonly T[] },
  match: TransactionMatch,
): T | undefined => listTransactions(given as Transactions).find((tx) => matchesTransaction(tx, match)) as T | undefined

/** The first transaction that matches; fails the test if there is none. For `node:test`, and any other runner. */
export const assertTransaction = <T extends Transaction>(
  given: T | readonly T[] | { readonly transactions: readonly T[] },
  match: TransactionMatch,
): T => {
  const found = findTransaction(given, match)
  if (found !== undefined) return found
  throw failure(given as Transactions, match, assertTransaction, 'a')
}

/** Fails the test if a transaction matches. */
export const assertNoTransaction = (given: Transactions, match: TransactionMatch): void => {
  if (findTransaction(given as Transaction, match) !== undefined) throw failure(given, match, assertNoTransaction, 'no')
}

const failure = (
  given: Transactions,
  match: TransactionMatch,
  from: (...args: never[]) => unknown,
  wanted: 'a' | 'no',
): AssertionError =>
  new AssertionError({
    message: describeFailure(given, match, wanted),
    actual: listTransactions(given).map(describeTransaction),
    expected: describeMatch(match),
    operator: wanted === 'a' ? 'toHaveTransaction' : 'not.toHaveTransaction',
    stackStartFn: from as () => void,
  })

const describeFailure = (given: Transactions, match: TransactionMatch, wanted: 'a' | 'no'): string => {
  const lines = listTransactions(given).map((tx, at) => `  ${at}: ${describeTransaction(tx)}`)
  const what = `Expected ${wanted} transaction with { ${describeMatch(match)} }`
  return lines.length === 0 ? `${what}, but there are none.` : [`${what}, but got:`, ...lines].join('\n')
}

/** Matchers for `expect.extend` of vitest and Jest: `expect(result.transactions).toHaveTransaction({ to, success: true })`. */
export const matchers = {
  toHaveTransaction: (received: Transactions, match: TransactionMatch) => {
    const pass = findTransaction(received as Transaction, match) !== undefined
    return { pass, message: (): string => describeFailure(received, match, pass ? 'no' : 'a') }
  },
} as const

/** What `expect` has with these matchers; `interface Assertion<T> extends TransactionMatchers<T> {}` in a declaration of vitest. */
export interface TransactionMatchers<R = unknown> {
  toHaveTransaction(match: TransactionMatch): R
}

export type GasCheck = {
  /** Share by which gas may grow; default 0. */
  readonly tolerance?: number
  /** Writes the file anew instead of comparing with it; a missing file is always written. */
  readonly update?: boolean
}

/** Compares a gas snapshot with the one in a file, and fails the test if something takes more. */
export const assertGas = (
  file: string,
  snapshot: GasSnapshot,
  { tolerance = 0, update = false }: GasCheck = {},
): void => {
  const base = update ? undefined : readSnapshot(file)
  if (base === undefined) {
    writeFileSync(file, `${JSON.stringify(snapshot, null, 2)}\n`)
    return
  }
  const grown = compareGas(base, snapshot, tolerance).filter(({ fails }) => fails)
  if (grown.length === 0) return
  throw new AssertionError({
    message: `Expected no more gas than in ${file}, but got:\n${formatGasDifferences(grown)}`,
    operator: 'assertGas',
    stackStartFn: assertGas as unknown as () => void,
  })
}

const readSnapshot = (file: string): GasSnapshot | undefined => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as GasSnapshot
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined
    throw error
  }
}
