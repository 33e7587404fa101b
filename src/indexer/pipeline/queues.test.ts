import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay, setImmediate as tick } from 'node:timers/promises'
import { mapAhead, takeReady, WriteQueue } from './queues.ts'

test('so many are under way at once, and results come in order', async () => {
  let running = 0
  let most = 0
  const work = async (item: number): Promise<number> => {
    running++
    most = Math.max(most, running)
    await delay((7 - (item % 7)) * 2)
    running--
    return item * 2
  }
  const results: number[] = []
  for await (const result of mapAhead(
    Array.from({ length: 40 }, (_, k) => k),
    4,
    work,
  )) {
    results.push(result)
  }
  assert.deepEqual(
    results,
    Array.from({ length: 40 }, (_, k) => k * 2),
  )
  assert.equal(most, 4)
})

test('how many are under way follows what is said with each result, and is never none', async () => {
  const running = new Set<number>()
  let most = 4
  const seen: number[] = []
  const work = async (item: number): Promise<number> => {
    running.add(item)
    await tick()
    return item
  }
  for await (const item of mapAhead(
    Array.from({ length: 30 }, (_, k) => k),
    () => most,
    work,
  )) {
    running.delete(item)
    seen.push(running.size)
    if (item === 9) most = 0
    if (item === 19) most = 2
  }
  assert.equal(Math.max(...seen.slice(0, 10)), 4)
  assert.deepEqual(seen.slice(13, 20), Array(7).fill(1))
  assert.deepEqual(seen.slice(21, 28), Array(7).fill(2))
})

test('a failure comes in its turn and ends it', async () => {
  const results: number[] = []
  const failing = mapAhead([1, 2, 3, 4, 5], 3, async (item) => {
    if (item === 3) throw new Error('three')
    return item
  })
  await assert.rejects(async () => {
    for await (const result of failing) results.push(result)
  }, /three/)
  assert.deepEqual(results, [1, 2])
})

test('who stops reading lets go of the items', async () => {
  let isReleased = false
  async function* items(): AsyncGenerator<number> {
    try {
      for (let k = 0; ; k++) yield k
    } finally {
      isReleased = true
    }
  }
  for await (const result of mapAhead(items(), 2, async (item) => item)) if (result === 5) break
  await delay(1)
  assert.ok(isReleased)
})

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

/** Tasks that say what happens to them, and end when they are told to. */
const follow = (writes: WriteQueue) => {
  const said: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const take = (name: string): Promise<void> => {
    const over = writes.enqueue(async (before) => {
      said.push(`${name} begins`)
      void before.then(() => said.push(`${name} is next`))
      await tick()
      said.push(`${name} has begun`)
      const done = new Promise<void>((resolve, reject) => {
        ends.set(name, (error) => (error === undefined ? resolve() : reject(error)))
      })
      return { done }
    })
    over.catch(() => undefined)
    return over
  }
  const end = async (name: string, error?: Error): Promise<void> => {
    ends.get(name)!(error)
    for (let k = 0; k < 5; k++) await tick()
  }
  return { said, take, end }
}

test('one begins when the one before has begun, and two are under way', async () => {
  const writes = new WriteQueue()
  const { said, take, end } = follow(writes)
  const [a, b, c] = ['a', 'b', 'c'].map(take)
  for (let k = 0; k < 9; k++) await tick()
  assert.deepEqual(said.splice(0), ['a begins', 'a is next', 'a has begun', 'b begins', 'b has begun'])
  await end('a')
  await a
  assert.deepEqual(said.splice(0), ['b is next', 'c begins', 'c has begun'])
  const settled = writes.settle().then(() => said.push('all over'))
  await end('b')
  await end('c')
  await Promise.all([b, c, settled])
  assert.deepEqual(said, ['c is next', 'all over'])
})

test('one that fails does not hold up the next', async () => {
  const writes = new WriteQueue()
  const { said, take, end } = follow(writes)
  const failing = assert.rejects(
    writes.enqueue(async () => {
      throw new Error('at once')
    }),
    /at once/,
  )
  const a = take('a')
  const b = take('b')
  for (let k = 0; k < 9; k++) await tick()
  await failing
  await end('a', new Error('later'))
  await assert.rejects(a, /later/)
  await end('b')
  await b
  await writes.settle()
  assert.deepEqual(said, ['a begins', 'a is next', 'a has begun', 'b begins', 'b has begun', 'b is next'])
})
