import { writeWhole } from '../../../codec/cell/wholeCell.ts'
import { accountNoneCell } from '../../../codec/tlb/Account.ts'
import { writeShardAccount } from '../../../codec/tlb/ShardAccounts.ts'
import { optional } from '../../core/Param.ts'
import { lifetimeAt } from '../masterchainBlock.ts'
import { AddressParam, SeqnoParam } from '../params.ts'
import { readAccount } from '../readAccount.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { CellView, toCellView } from '../views/CellView.ts'

const noHash = new Uint8Array(32)

export const getShardAccountCell = v2Endpoint({
  name: 'getShardAccountCell',
  tags: ['accounts'],
  summary: 'An account as a ShardAccount: its state and its last transaction, in one cell.',
  params: { address: AddressParam, seqno: optional(SeqnoParam) },
  result: CellView,
  errors: [],
  lifetime: lifetimeAt,
  async handle({ node }, { address, seqno }) {
    const { found } = await readAccount(node, address, seqno)
    const { lt: lastTransLt, hash: lastTransHash } = found?.lastTransaction ?? { lt: 0n, hash: noHash }
    const account = found?.account ?? accountNoneCell
    return toCellView(writeWhole(writeShardAccount, { account, lastTransHash, lastTransLt }))
  },
})
