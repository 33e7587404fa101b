import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MessageHeap, type NewMessage } from './BlockDraft.ts'
import { compareMessages } from './messageQueue.ts'

test('messages come out by lt and hash, whatever the order of comings and goings', () => {
  const message = fc.record({
    lt: fc.bigInt({ min: 0n, max: 20n }),
    hash: fc.uint8Array({ minLength: 2, maxLength: 2 }),
  })
  fc.assert(
    fc.property(fc.array(fc.option(message), { maxLength: 60 }), (steps) => {
      const heap = new MessageHeap()
      const kept: NewMessage[] = []
      for (const step of steps) {
        if (step !== null) {
          heap.push(step as NewMessage)
          kept.push(step as NewMessage)
          continue
        }
        kept.sort(compareMessages)
        const expected = kept.shift()
        const popped = heap.pop()
        assert.equal(popped && expected && compareMessages(popped, expected), expected && 0)
      }
      assert.equal(heap.size, kept.length)
    }),
    { seed: 7, numRuns: 300 },
  )
})
