import type { Cell } from '../../codec/cell/Cell.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { cellValue, type ValueCodec } from '../../codec/cell/dictTypes.ts'
import { PrunedBranchError } from '../../codec/cell/errors.ts'
import type { LiteServerConfigInfo } from '../../codec/tl/liteServerTypes.ts'
import { type ConfigParams, configDictType } from '../../codec/tlb/config/configParams.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { expectBlock } from './blockIds.ts'
import { openKeyBlockConfig } from './keyBlockConfig.ts'
import { readLinkedHeader } from './ProvenHeader.ts'
import { openMasterExtra, unwrapStateParts } from './ProvenState.ts'
import { proving } from './proving.ts'
import { expectNothing, unwrapProof } from './unwrapProof.ts'

export type ProvenConfig = {
  /** The block whose state has this configuration, or the key block that brought it. */
  readonly block: BlockIdExt
  /** Parameters that were not asked for throw PrunedBranchError when they are looked for, and are never just missing. */
  readonly params: ConfigParams
}

/** getConfigAll has no list, and means all parameters. */
export type ConfigQuestion = { readonly mode: number; readonly paramList?: readonly number[] }

const FROM_KEY_BLOCK = 0x8000

/**
 * The answer to getConfigAll or getConfigParams. With mode bit 15 it is taken from the key block before the one asked about,
 * and `trusted` is to be that key block.
 */
export const verifyConfig = (
  trusted: BlockIdExt,
  question: ConfigQuestion,
  answer: LiteServerConfigInfo,
  skipProofChecks = false,
): ProvenConfig => {
  expectBlock('The block of a configuration', trusted, answer.id)
  const open = (question.mode & FROM_KEY_BLOCK) === 0 ? configOfState : configOfKeyBlock
  const { configAddr, config } = open(trusted, answer, skipProofChecks)
  const params = { configAddr: configAddr.slice(), config: new Dict(wholeConfigType, config.root) }
  proving('the configuration', () => {
    if (question.paramList === undefined) params.config.forEach(() => {})
    else for (const id of question.paramList) params.config.find(id)
  })
  return { block: trusted, params }
}

const configOfState = (
  trusted: BlockIdExt,
  { stateProof, configProof }: LiteServerConfigInfo,
  skipProofChecks: boolean,
): ConfigParams => openMasterExtra(unwrapStateParts(trusted, stateProof, configProof, skipProofChecks).state).config

const configOfKeyBlock = (
  trusted: BlockIdExt,
  { stateProof, configProof }: LiteServerConfigInfo,
  skipProofChecks: boolean,
): ConfigParams => {
  expectNothing('The state proof of a key block', stateProof)
  const root = unwrapProof('a key block', configProof, trusted.rootHash, skipProofChecks)
  return openKeyBlockConfig(readLinkedHeader(root, trusted), root)
}

/** A parameter of which a part is pruned is not proven, even though its hash is. */
const wholeCellValue: ValueCodec<Cell> = {
  read: (r) => {
    const cell = r.readRefCell()
    if (cell.levelMask !== 0) throw new PrunedBranchError()
    return cell
  },
  write: cellValue.write,
}

const wholeConfigType = { key: configDictType.key, value: wholeCellValue }
