import { ProofFailedError } from '../../chain/errors.ts'
import type { PreviousBlocks } from '../../chain/ports.ts'
import { readPreviousBlocks } from '../../chain/shardBlocks.ts'
import type { LiteServerConfigInfo } from '../../codec/tl/liteServerTypes.ts'
import { findConfigParam } from '../../codec/tlb/config/configParams.ts'
import { type BlockIdExt, formatBlockId } from '../../primitives/BlockId.ts'
import { expectBlock } from './blockIds.ts'
import { openMasterExtra, openMasterHistory, unwrapStateParts } from './ProvenState.ts'
import { proving } from './proving.ts'

/** The answer to getConfigParams about a trusted masterchain block, with earlier blocks asked for (mode bit 7). */
export const verifyPreviousBlocks = (
  trusted: BlockIdExt,
  answer: LiteServerConfigInfo,
  skipProofChecks = false,
): PreviousBlocks => {
  expectBlock('The block of a configuration', trusted, answer.id)
  const { state } = unwrapStateParts(trusted, answer.stateProof, answer.configProof, skipProofChecks)
  const { config } = openMasterExtra(state).config
  const history = openMasterHistory(state)
  return proving('the blocks before one', () => {
    const blocks = readPreviousBlocks(trusted, history, findConfigParam(config, 8)?.version ?? 0)
    if (blocks !== undefined) return blocks
    throw new ProofFailedError(`The state of ${formatBlockId(trusted)} does not know all of the blocks before it.`)
  })
}
