import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { takeReady } from './takeReady.ts'

const take = async <T>(items: AsyncIterable<T>, most: number, lingerMs: number): Promise<(readonly T[])[]> => {
  const groups: (readonly T[])[] = []
  const options = { isFull: (group: readonly T[]) => group.length === most, lingerMs: () => lingerMs }
  for await (const group of takeReady(items, options)) groups.push(group)
  return groups
}

async function* list(...items: readonly number[]): AsyncGenerator<number> {
  yield* items
}

test('what is there at once is taken at once, up to what a group holds', async () => {
  assert.deepEqual(await take(list(1, 2, 3, 4, 5, 6, 7), 3, 1000), [[1, 2, 3], [4, 5, 6], [7]])
})

test('nobody waits for what comes later', async () => {
  async function* slow(): AsyncGenerator<number> {
    yield* [1, 2]
    await delay(200)
    yield 3
  }
  assert.deepEqual(await take(slow(), 10, 20), [[1, 2], [3]])
})

test('a failure comes after what came before it', async () => {
  async function* failing(): AsyncGenerator<number> {
    yield* [1, 2]
    throw new Error('three')
  }
  const groups: (readonly number[])[] = []
  await assert.rejects(async () => {
    for await (const group of takeReady(failing(), { isFull: () => false, lingerMs: () => 1000 })) groups.push(group)
  }, /three/)
  assert.deepEqual(groups, [[1, 2]])
})
