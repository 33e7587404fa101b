import { openCell } from '../../codec/cell/CellReader.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import { openAccount } from '../../codec/tlb/Account.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { configAddress, configChange } from '../contracts/configContract.ts'
import type { Signer } from '../contracts/Signer.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import type { NetworkParts } from './createControls.ts'
import { StepFailedError } from './errors.ts'
import { findHeadAccount } from './headContext.ts'

/** A parameter without a meaning to anyone. Networks keep such ones under negative numbers. */
const HARMLESS_PARAM = -999
const LIFETIME = 600
const MAX_BLOCKS = 40

/**
 * Makes the first blocks until there is a key block, which light clients begin to trust at, and as many shards as wanted. A
 * network that was interrupted in this goes on with it.
 */
export const beginChain = async (parts: NetworkParts, configKey: Signer, shards: number): Promise<BlockIdExt> => {
  const { store, pool, producer } = parts
  const isDone = (): boolean => store.keyBlockSeqnos.length > 0 && countShards(store) >= shards
  for (let blocks = 0; !isDone(); blocks++) {
    if (blocks === MAX_BLOCKS)
      throw new StepFailedError(`The network did not come to life within ${MAX_BLOCKS} blocks.`)
    if (store.keyBlockSeqnos.length === 0 && pool.size === 0) submitChange(parts, configKey)
    await producer.makeBlock()
  }
  return store.findMaster(store.keyBlockSeqnos[0]!)!.id
}

const countShards = ({ shardTops }: ChainStore): number => shardTops.filter(({ workchain }) => workchain === 0).length

/** A change of the configuration is what makes a block a key block. */
const submitChange = ({ store, pool, clock }: NetworkParts, configKey: Signer): void => {
  const account = findHeadAccount(store, configAddress)?.account
  const opened = account && openAccount(account.account)
  const data = opened?.kind === 'account' && opened.state.kind === 'active' ? opened.state.init.data : undefined
  if (data === undefined) throw new StepFailedError('The network has no configuration contract.')
  const seqno = openCell(data).readUint(32)
  const message = configChange(configKey, seqno, clock.now() + LIFETIME, HARMLESS_PARAM, nameCell())
  pool.addOwn(configAddress, message, clock.now())
}

const nameCell = () => new CellWriter().writeBytes(new TextEncoder().encode('chaincenter')).toCell()
