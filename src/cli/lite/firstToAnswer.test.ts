import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { firstToAnswer } from './firstToAnswer.ts'

test('the next attempt starts at once after a failure, and after a while beside a slow one', async () => {
  const started: string[] = []
  const attempt =
    (name: string, ms: number, fails = false) =>
    async (): Promise<string> => {
      started.push(name)
      await delay(ms)
      if (fails) throw new Error(name)
      return name
    }
  assert.equal(await firstToAnswer([attempt('a', 0), attempt('b', 0)], 10_000), 'a')
  assert.deepEqual(started, ['a'])
  started.length = 0
  const attempts = [attempt('a', 0, true), attempt('b', 60_000), attempt('c', 5), attempt('d', 0)]
  attempts[1] = async () => {
    started.push('b')
    return new Promise(() => undefined)
  }
  assert.equal(await firstToAnswer(attempts, 50), 'c')
  await delay(120)
  assert.deepEqual(started, ['a', 'b', 'c'])
})

test('where all fail, all reasons are told', async () => {
  const fail = (name: string) => async () => {
    throw new Error(name)
  }
  await assert.rejects(firstToAnswer([fail('a'), fail('b')], 50), (error: AggregateError) => {
    assert.deepEqual(
      error.errors.map(({ message }: Error) => message),
      ['a', 'b'],
    )
    return true
  })
})

test('a late failure starts nobody', async () => {
  const started: string[] = []
  const slow = async (): Promise<string> => {
    await delay(40)
    throw new Error('late')
  }
  const quick = async (): Promise<string> => 'quick'
  const never = async (): Promise<string> => {
    started.push('never')
    return 'never'
  }
  assert.equal(await firstToAnswer([slow, quick, never], 10), 'quick')
  await delay(60)
  assert.deepEqual(started, [])
})
