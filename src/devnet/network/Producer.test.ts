import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  balanceNow,
  closeSharedMachine,
  coins,
  shareMachine,
  startTestNetwork,
  transferOf,
} from '../../../test/support/testNetwork.ts'
import { emptyCell } from '../../codec/cell/CellWriter.ts'
import { createLogger } from '../../observe/Logger.ts'
import { toHex } from '../../primitives/hex.ts'
import { makeStep } from '../collate/makeStep.ts'
import type { MakeStep } from '../collate/StepRequest.ts'
import { createClock } from './Clock.ts'
import { StepFailedError } from './errors.ts'
import { Mempool } from './Mempool.ts'
import { deriveKeys } from './networkKeys.ts'
import { Producer } from './Producer.ts'

after(closeSharedMachine)

test('a message that breaks the making of blocks is dropped, and all others get into one', async (t) => {
  const network = await startTestNetwork(t)
  const { store, accounts } = network
  await network.controls.mine(1)
  const pool = new Mempool()
  const receiver = { workchain: 0, hash: new Uint8Array(32).fill(0x5a) }
  const messages = accounts
    .filter(({ wallet }) => wallet.kind !== 'highload-v3')
    .map((account) => ({ account, message: transferOf(network, account, { seqno: 0, to: receiver }) }))
  for (const { account, message } of messages) pool.addOwn(account.wallet.address, message, store.head!.genUtime)
  const poison = toHex(messages[4]!.message.hash())
  const isBroken = { always: false }
  let attempts = 0
  const fragile: MakeStep = async (order) => {
    attempts++
    if (isBroken.always || order.externals.some(({ hash }) => hash === poison)) throw new Error('broken')
    return makeStep(order)
  }
  const { validator: key, seedSecret } = deriveKeys('chaincenter')
  const log: string[] = []
  const logger = createLogger({ level: 'info', format: 'json', colours: false, write: (line) => void log.push(line) })
  const clock = createClock({ notBefore: store.head!.genUtime, startTime: store.head!.genUtime + 1 })
  const vm = await shareMachine()
  const producer = new Producer({ store, vm, makeStep: fragile, key, seedSecret, clock, pool, logger })
  const seqno = store.head!.id.seqno
  for (let blocks = 0; pool.size > 0 && blocks < 10; blocks++) await producer.makeBlock()
  await producer.makeBlock()
  // Every message but the broken one; storage costs a little.
  assert.equal((balanceNow(network, receiver) + 10n) / 1_000_000_000n, BigInt(messages.length - 1))
  assert.match(log.join(''), new RegExp(`"message":"message dropped, block production failed","hash":"${poison}"`))
  assert.ok(attempts < 20, `${attempts} attempts`)
  assert.ok(store.head!.id.seqno > seqno)

  isBroken.always = true
  await assert.rejects(producer.makeBlock(), /^StepFailedError: The next block could not be made: broken$/)
  const injected = [
    { source: receiver, destination: receiver, value: coins(1n), bounce: false, stateInit: undefined, body: emptyCell },
  ]
  await assert.rejects(producer.makeBlock({ injected, overrides: [] }), (error) => {
    assert.ok(error instanceof StepFailedError)
    assert.equal(error.message, 'What was asked for could not be made: broken')
    return true
  })
})
