import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import { packCell, unpackCell } from '../../../src/codec/stored/packCell.ts'
import type { ResolvedAccount } from '../../../src/indexer/IndexBatch.ts'
import type { RecordedChain } from './recordChain.ts'

/** Of the form of what is recorded. */
const VERSION = 1

type SavedAccount = Omit<ResolvedAccount, 'code' | 'data'> & { readonly data: Uint8Array | 'unknown' | undefined }
type SavedChain = {
  readonly name: string
  readonly batches: readonly (Omit<RecordedChain['batches'][number], 'resolved'> & {
    readonly resolved: readonly SavedAccount[]
  })[]
}
type Saved = { readonly version: number; readonly chains: readonly SavedChain[] }

/** Keeps chains in a file, so that whoever goes on has the very same. */
export const saveChains = (path: string, chains: readonly RecordedChain[]): void => {
  const saved: Saved = {
    version: VERSION,
    chains: chains.map(({ name, batches }) => ({
      name,
      batches: batches.map(({ resolved, ...batch }) => ({ ...batch, resolved: resolved.map(toSaved) })),
    })),
  }
  writeFileSync(`${path}.new`, serialize(saved))
  renameSync(`${path}.new`, path)
}

/** The chains in a file, or `undefined` where it is not there or is of another form. */
export const findChains = (path: string): readonly RecordedChain[] | undefined => {
  let saved: Saved
  try {
    saved = deserialize(readFileSync(path)) as Saved
  } catch {
    return undefined
  }
  if (saved.version !== VERSION) return undefined
  return saved.chains.map(({ name, batches }) => ({
    name,
    batches: batches.map(({ resolved, ...batch }) => ({ ...batch, resolved: resolved.map(toResolved) })),
  }))
}

const toSaved = ({ account, lastLt, data, extraCurrencies }: ResolvedAccount): SavedAccount => ({
  account,
  lastLt,
  data: data === undefined || data === 'unknown' ? data : packCell(data),
  extraCurrencies,
})

// The code is among those that were inspected.
const toResolved = ({ data, ...account }: SavedAccount): ResolvedAccount => ({
  ...account,
  code: 'unknown',
  data: data === undefined || data === 'unknown' ? data : unpackCell(data),
})
