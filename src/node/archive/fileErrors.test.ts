import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NodeUnavailableError } from '../../chain/errors.ts'
import { describeFileError, isMissing } from './fileErrors.ts'

const fileError = (code: string): Error => Object.assign(new Error(`${code}: no`), { code, syscall: 'open', errno: -1 })

test('every error of the file system says what to do', () => {
  const cases: readonly [string, RegExp][] = [
    ['EACCES', /run this as that user/],
    ['EPERM', /run this as that user/],
    ['EMFILE', /ulimit -n/],
    ['ENFILE', /ulimit -n/],
    ['ENOENT', /db folder of a node/],
    ['EIO', /Look at the disk/],
  ]
  for (const [code, advice] of cases) {
    const cause = fileError(code)
    const error = describeFileError(cause, '/db/archive.00000.pack')
    assert.ok(error instanceof NodeUnavailableError && error.retryable, code)
    assert.match(error.message, /^\/db\/archive\.00000\.pack cannot be read/)
    assert.match(error.message, advice)
    assert.equal(error.cause, cause)
  }
})

test('what is no error of the file system stays what it is', () => {
  const bug = new TypeError('a bug')
  assert.equal(describeFileError(bug, 'x'), bug)
  assert.equal(describeFileError(undefined, 'x'), undefined)
})

test('only what is not there is missing', () => {
  assert.deepEqual(
    ['ENOENT', 'ENOTDIR', 'EACCES', 'EISDIR'].map((code) => isMissing(fileError(code))),
    [true, true, false, false],
  )
  assert.equal(isMissing(new Error('no')), false)
})
