import { ProofFailedError } from '../../chain/errors.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import type { ConfigParams } from '../../codec/tlb/config/configParams.ts'
import { formatBlockId } from '../../primitives/BlockId.ts'
import { openMasterBlockExtra } from './masterBlockExtra.ts'
import type { ProvenHeader } from './ProvenHeader.ts'

/** The configuration that a key block brings, from a proof that holds it. */
export const openKeyBlockConfig = ({ id, info }: ProvenHeader, root: Cell): ConfigParams => {
  if (!info.keyBlock) throw new ProofFailedError(`Block ${formatBlockId(id)} is no key block.`)
  const { config } = openMasterBlockExtra(root)
  if (config === undefined) throw new ProofFailedError(`Key block ${formatBlockId(id)} has no configuration.`)
  return config
}
