import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CodeHistory, TRANSACTION } from './CodeHistory.ts'
import { VmTimeoutError } from './errors.ts'

const createHistory = () => {
  const clock = { now: 0 }
  return { history: new CodeHistory(() => clock.now), clock }
}

test('a long method makes that method long, eight of them all', () => {
  const { history } = createHistory()
  assert.equal(history.isLong('a', 1), false)
  for (let methodId = 1; methodId <= 7; methodId++) history.noteLong('a', methodId)
  assert.deepEqual(
    [history.isLong('a', 1), history.isLong('a', 8), history.isLong('a', TRANSACTION)],
    [true, false, false],
  )
  history.noteLong('a', 8)
  assert.equal(history.isLong('a', 9), true)
})

test('a method that needed a second slice is not short again, nor is a long one', () => {
  const { history } = createHistory()
  history.noteSliced('a', 1)
  history.noteLong('a', 2)
  assert.deepEqual(
    [1, 2, 3].map((methodId) => history.isShort('a', methodId)),
    [false, false, true],
  )
  assert.equal(history.isLong('a', 1), false)
})

test('one timeout makes all of unknown code long, three that of code that was quick', () => {
  const { history } = createHistory()
  history.noteTimeout('a', 1)
  assert.equal(history.isLong('a', 2), true)
  assert.throws(() => history.check('a', 2, true), VmTimeoutError)
  history.check('a', 1, false)
  history.noteQuick('b')
  for (let count = 0; count < 2; count++) history.noteTimeout('b', 1)
  assert.deepEqual([history.isLong('b', 1), history.isLong('b', 2)], [true, false])
  history.check('b', 1, true)
  history.noteTimeout('b', 1)
  assert.equal(history.isLong('b', 2), true)
  assert.throws(() => history.check('b', 2, true), VmTimeoutError)
})

test('a failed method is refused for a minute, then for two, at most for an hour', () => {
  const { history, clock } = createHistory()
  for (const seconds of [60, 120, 240, 480, 960, 1920, 3600, 3600]) {
    history.noteFailure('a', 1)
    clock.now += seconds * 1000 - 1
    assert.throws(() => history.check('a', 1, false), /can be run again in 1 s/)
    history.check('a', 2, false)
    clock.now += 1
    history.check('a', 1, false)
  }
})

test('after three failed methods no other is run either', () => {
  const { history } = createHistory()
  for (const methodId of [1, 2]) history.noteFailure('a', methodId)
  history.check('a', 4, false)
  history.noteFailure('a', 3)
  assert.throws(() => history.check('a', 4, false), VmTimeoutError)
  history.check('b', 4, false)
})
