import { listTransactionsByMessage } from '../../../store/reader/transactionsByMessage.ts'
import { optional } from '../../core/Param.ts'
import { answerTransactions } from '../answerTransactions.ts'
import { DirectionParam, findBodyHash } from '../messageParams.ts'
import { addressParam, hashListParam, hashParam, opcodeParam, pageParams, sortParam } from '../params.ts'
import { RefusedRequestError } from '../RefusedRequestError.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { TransactionsView } from '../views/TransactionView.ts'

export const transactionsByMessage = v3Endpoint({
  name: 'transactionsByMessage',
  tags: ['blockchain data'],
  summary: 'The transactions that received or sent certain messages, the newest first.',
  params: {
    msg_hash: optional(hashListParam('Hashes of messages, plain or normalised.')),
    body_hash: optional(hashParam('The hash of a body.')),
    opcode: optional(opcodeParam('The first 32 bits of the body of a message that was received.')),
    direction: optional(DirectionParam),
    source: optional(addressParam('Who sent the message.')),
    destination: optional(addressParam('Whom it was sent to.')),
    sort: sortParam(),
    ...pageParams,
  },
  result: TransactionsView,
  errors: ['cursor_refused', 'query_too_costly'],
  async handle(context, params) {
    const { msg_hash: hashes, body_hash: bodyHash, opcode, source, destination, direction: side, sort } = params
    if (hashes === undefined && bodyHash === undefined && opcode === undefined) {
      throw new RefusedRequestError('at least one of msg_hash, body_hash, opcode should be specified')
    }
    const { rows, next } = await listTransactionsByMessage(
      context,
      { hashes, bodyHash: bodyHash && findBodyHash(bodyHash), opcode, source, destination, side, direction: sort },
      context.readPage(params),
    )
    context.tellNext(next)
    return answerTransactions(context, rows)
  },
})
