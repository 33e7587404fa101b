import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { FairQueue, type FairQueueLimits } from './FairQueue.ts'

const limits: FairQueueLimits = {
  maxRunning: 8,
  maxRunningOfLane: 2,
  maxQueuedOfLane: 4,
  maxQueuedSizeOfLane: 100,
  maxQueuedSize: 150,
  sliceMs: 1000,
}

/** Work that ends when it is told to. */
const createWork = () => {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () => {
    begun.push(name)
    return new Promise<void>((resolve) => ends.set(name, resolve))
  }
  return { begun, work, end: (name: string) => ends.get(name)!() }
}

describe('FairQueue', () => {
  it('gives every lane its turn, and begins no more than may go on at once', async () => {
    const queue = new FairQueue({ ...limits, maxRunning: 3 })
    const { begun, work, end } = createWork()
    const [greedy, modest] = [queue.openLane(), queue.openLane()]
    for (const name of ['a1', 'a2', 'a3', 'a4']) assert.equal(greedy.add(1, work(name)), true)
    modest.add(1, work('b1'))
    modest.add(1, work('b2'))
    assert.deepEqual(begun, [], 'work begins in a turn of its own')
    await nextTurn()
    assert.deepEqual(begun, ['a1', 'b1', 'a2'])
    end('a1')
    await nextTurn()
    await nextTurn()
    assert.deepEqual(begun, ['a1', 'b1', 'a2', 'b2'])
    end('b1')
    await nextTurn()
    await nextTurn()
    assert.deepEqual(begun.slice(4), ['a3'])
  })

  it('holds a lane to its own share', async () => {
    const queue = new FairQueue(limits)
    const { begun, work, end } = createWork()
    const lane = queue.openLane()
    for (const name of ['a', 'b', 'c']) lane.add(1, work(name))
    await nextTurn()
    await nextTurn()
    assert.deepEqual(begun, ['a', 'b'])
    end('b')
    await nextTurn()
    await nextTurn()
    assert.deepEqual(begun, ['a', 'b', 'c'])
  })

  it('refuses what is too much, by number and by size, but never the only piece', () => {
    const queue = new FairQueue(limits)
    const { work } = createWork()
    const [first, second, third] = [queue.openLane(), queue.openLane(), queue.openLane()]
    for (let k = 0; k < 4; k++) assert.equal(first.add(1, work('')), true)
    assert.equal(first.add(1, work('')), false, 'a fifth piece')
    assert.equal(second.add(90, work('')), true)
    assert.equal(second.add(11, work('')), false, 'more than a lane may hold')
    assert.equal(third.add(57, work('')), false, 'more than all may hold')
    assert.equal(third.add(56, work('')), true)
    first.close()
    second.close()
    third.close()
    assert.equal(third.add(1000, work('')), true, 'nothing waits')
  })

  it('forgets the work of a lane that is closed', async () => {
    const queue = new FairQueue(limits)
    const { begun, work, end } = createWork()
    const [gone, other] = [queue.openLane(), queue.openLane()]
    for (const name of ['a1', 'a2', 'a3']) gone.add(30, work(name))
    other.add(1, work('b1'))
    await nextTurn()
    assert.deepEqual(begun, ['a1', 'b1', 'a2'])
    gone.close()
    end('a1')
    end('a2')
    await nextTurn()
    await nextTurn()
    assert.deepEqual(begun, ['a1', 'b1', 'a2'])
    assert.equal(other.add(99, work('b2')), true)
  })

  it('lets the rest of the process have its turn', async () => {
    const queue = new FairQueue({ ...limits, maxQueuedOfLane: 100, maxRunningOfLane: 100, maxRunning: 100, sliceMs: 0 })
    let done = 0
    const lane = queue.openLane()
    for (let k = 0; k < 20; k++) {
      lane.add(0, async () => {
        done++
      })
    }
    await nextTurn()
    const early = done
    assert.ok(early > 0 && early < 20, `${early} of 20 were done in the first turn`)
    for (let k = 0; k < 50; k++) await nextTurn()
    assert.equal(done, 20)
  })
})
