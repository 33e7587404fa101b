import { type Static, Type } from 'typebox'
import type { MasterchainInfo } from '../../../chain/LiveChain.ts'
import { masterchain } from '../../../primitives/BlockId.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { BlockIdView, toBlockIdView } from './BlockIdView.ts'
import { HashView, typeName } from './scalars.ts'

export const MasterchainInfoView = Type.Object(
  { '@type': typeName('blocks.masterchainInfo'), last: BlockIdView, state_root_hash: HashView, init: BlockIdView },
  { $id: 'MasterchainInfo', description: 'Where the masterchain begins and how far it is.' },
)

export const toMasterchainInfoView = ({
  last,
  stateRootHash,
  zeroState,
}: MasterchainInfo): Static<typeof MasterchainInfoView> => ({
  '@type': 'blocks.masterchainInfo',
  last: toBlockIdView(last),
  state_root_hash: toBase64(stateRootHash),
  // The first state has no shard in this interface, and clients have got used to that.
  init: toBlockIdView({ workchain: masterchain, shard: 0n, seqno: 0, ...zeroState }),
})
