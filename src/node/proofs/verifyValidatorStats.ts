import { ProofFailedError } from '../../chain/errors.ts'
import { takeEntries } from '../../codec/cell/Dict.ts'
import type { LiteServerGetValidatorStats, LiteServerValidatorStats } from '../../codec/tl/liteServerTypes.ts'
import type { BlockCreateStats, CreatorStats } from '../../codec/tlb/McStateExtra.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { expectBlock } from './blockIds.ts'
import { openMasterHistory, unwrapStateParts } from './ProvenState.ts'
import { proving } from './proving.ts'

const MAX_ENTRIES = 1000
const START_AFTER = 1
const START_INCLUSIVE = 2

/** The creator is a public key; zeros stand for all of them together. */
export type ProvenCreator = { readonly creator: Uint8Array; readonly stats: CreatorStats }

export type ProvenValidatorStats = {
  readonly block: BlockIdExt
  readonly creators: readonly ProvenCreator[]
  /** The end was seen: never so on a full page. */
  readonly isComplete: boolean
}

type StatsQuestion = Pick<LiteServerGetValidatorStats, 'mode' | 'limit' | 'startAfter'>

/** The answer to getValidatorStats about a trusted masterchain block. Servers do not filter by time of change. */
export const verifyValidatorStats = (
  trusted: BlockIdExt,
  question: StatsQuestion,
  answer: LiteServerValidatorStats,
  skipProofChecks = false,
): ProvenValidatorStats => {
  expectBlock('The block of validator statistics', trusted, answer.id)
  const { state } = unwrapStateParts(trusted, answer.stateProof, answer.dataProof, skipProofChecks)
  const { blockCreateStats } = openMasterHistory(state)
  if (blockCreateStats === undefined) throw new ProofFailedError('The masterchain state keeps no validator statistics.')
  const limit = Math.min(question.limit, MAX_ENTRIES)
  const creators = proving('validator statistics', () => readCreators(blockCreateStats, question, limit))
  const isComplete = creators.length < limit
  if (answer.count !== creators.length || answer.complete !== isComplete) {
    throw new ProofFailedError(`There are ${creators.length} validators for a page, ${answer.count} are said to be.`)
  }
  return { block: trusted, creators, isComplete }
}

const readCreators = (
  { creators }: BlockCreateStats,
  { mode, startAfter }: StatsQuestion,
  limit: number,
): readonly ProvenCreator[] => {
  const toEntry = ([creator, stats]: [Uint8Array, CreatorStats]): ProvenCreator => ({ creator, stats })
  if ((mode & START_AFTER) === 0 || startAfter === undefined) return takeEntries(creators, limit).map(toEntry)
  const first = (mode & START_INCLUSIVE) === 0 ? undefined : creators.find(startAfter)
  const start: ProvenCreator[] = first === undefined ? [] : [{ creator: startAfter, stats: first }]
  const rest = takeEntries(creators, limit - start.length, { after: startAfter })
  return [...start, ...rest.map(toEntry)]
}
