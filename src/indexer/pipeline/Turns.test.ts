import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as tick } from 'node:timers/promises'
import { Turns } from './Turns.ts'

/** Tasks that say what happens to them, and end when they are told to. */
const follow = (turns: Turns) => {
  const said: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const take = (name: string): Promise<void> => {
    const over = turns.take(async (before) => {
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
  const turns = new Turns()
  const { said, take, end } = follow(turns)
  const [a, b, c] = ['a', 'b', 'c'].map(take)
  for (let k = 0; k < 9; k++) await tick()
  assert.deepEqual(said.splice(0), ['a begins', 'a is next', 'a has begun', 'b begins', 'b has begun'])
  await end('a')
  await a
  assert.deepEqual(said.splice(0), ['b is next', 'c begins', 'c has begun'])
  const settled = turns.settle().then(() => said.push('all over'))
  await end('b')
  await end('c')
  await Promise.all([b, c, settled])
  assert.deepEqual(said, ['c is next', 'all over'])
})

test('one that fails does not hold up the next', async () => {
  const turns = new Turns()
  const { said, take, end } = follow(turns)
  const failing = assert.rejects(
    turns.take(async () => {
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
  await turns.settle()
  assert.deepEqual(said, ['a begins', 'a is next', 'a has begun', 'b begins', 'b has begun', 'b is next'])
})
