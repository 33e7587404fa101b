import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { closeSharedMachine, coins, shareMachine, startTestNetwork } from '../../../test/support/testNetwork.ts'
import { emptyCell } from '../../codec/cell/CellWriter.ts'
import { createLogger } from '../../observe/Logger.ts'
import { makeStep } from '../collate/makeStep.ts'
import { createClock } from './Clock.ts'
import { NetworkClosedError } from './errors.ts'
import { Interventions, SerialQueue } from './Interventions.ts'
import { Mempool } from './Mempool.ts'
import { deriveKeys } from './networkKeys.ts'
import { Producer } from './Producer.ts'

after(closeSharedMachine)

class CountingQueue extends SerialQueue {
  works = 0

  override run<T>(work: () => T | Promise<T>): Promise<T> {
    this.works++
    return super.run(work)
  }
}

const LANES = 6
const PAYMENTS = 5

test('interventions share blocks, queue one work for each block, and are rejected when the network closes', async (t) => {
  const { store, controls } = await startTestNetwork(t)
  await controls.mine(1)
  const { validator: key, seedSecret } = deriveKeys('chaincenter')
  const logger = createLogger({ level: 'error', format: 'json', colours: false, write: () => undefined })
  const clock = createClock({ notBefore: store.head!.genUtime, startTime: store.head!.genUtime + 1 })
  const producer = new Producer({
    store,
    vm: await shareMachine(),
    makeStep,
    key,
    seedSecret,
    clock,
    pool: new Mempool(),
    logger,
  })
  const queue = new CountingQueue()
  const interventions = new Interventions(producer, queue)
  const pay = (serial: number) => {
    const destination = { workchain: 0, hash: new Uint8Array(32).fill(serial) }
    return interventions.make({
      injected: [
        { source: destination, destination, value: coins(1n), bounce: false, stateInit: undefined, body: emptyCell },
      ],
      overrides: [],
    })
  }
  const seqno = store.head!.id.seqno
  // Whoever got an answer asks again at once, so that something is always asked for.
  const lane = async (first: number): Promise<void> => {
    for (let sent = 0; sent < PAYMENTS; sent++) await pay(first + sent)
  }
  await Promise.all(Array.from({ length: LANES }, (_, at) => lane(1 + at * PAYMENTS)))
  const blocks = store.head!.id.seqno - seqno
  assert.ok(blocks < LANES * PAYMENTS, `${blocks} blocks`)
  assert.equal(queue.works, blocks)

  const asked = [pay(1), pay(2)]
  await queue.close()
  for (const each of asked) await assert.rejects(each, NetworkClosedError)
  await assert.rejects(pay(3), NetworkClosedError)
})
