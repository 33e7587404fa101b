import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommandLine } from '../../test/support/runCommandLine.ts'
import { tempFolder } from '../../test/support/tempFolder.ts'
import { describeFailure } from './describeFailure.ts'

const failureOf = (work: () => unknown): unknown => {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new assert.AssertionError({ message: 'It did not fail.' })
}

test('what the file system refuses is a sentence with what to do, and no bug', async (t) => {
  const folder = tempFolder(t)
  const cases: [() => unknown, RegExp][] = [
    [
      () => readFileSync(folder),
      /^The system call "read" failed for a file: it is a folder \(EISDIR\)\.\nCheck the path/,
    ],
    [
      () => readFileSync(join(folder, 'none')),
      /^The system call "open" failed for .*none: it does not exist \(ENOENT\)\./,
    ],
    [() => readFileSync(join(folder, 'a'.repeat(300))), /the path is too long \(ENAMETOOLONG\)\.\nSet a folder/],
    [() => readFileSync('/dev/null/x'), /a part of the path is not a folder \(ENOTDIR\)\./],
  ]
  if (process.platform === 'linux') {
    cases.push([() => writeFileSync('/dev/full', 'x'), /no space is left \(ENOSPC\)\.\nFree disk space/])
    // One that the list does not know.
    cases.push([
      () => writeFileSync('/proc/self/oom_score_adj', 'x'),
      /^The system call "write" failed for .*\(EINVAL\)\.\nCheck/,
    ])
  }
  // Only a mount gives it: see below.
  const readOnly = Object.assign(new Error("EROFS: read-only file system, mkdir '/data'"), {
    code: 'EROFS',
    syscall: 'mkdir',
    path: '/data',
  })
  cases.push([
    () => {
      throw readOnly
    },
    /^The system call "mkdir" failed for \/data: the file system is read-only \(EROFS\)\.\nSet a writable folder with --data-dir/,
  ])
  for (const [work, expected] of cases) {
    const { exitCode, text, value } = describeFailure(failureOf(work), false)
    assert.match(text, expected)
    assert.doesNotMatch(text, /bug/)
    assert.deepEqual([exitCode, value.error.code], [1, 'file_system'])
  }
})

test('other errors of the system are not taken for those of files', async () => {
  const error = await new Promise<Error>((done) => connect(1, '127.0.0.1').on('error', done))
  assert.equal(describeFailure(error, false).value.error.code, 'internal')
})

test('a data folder that cannot be made or written to is named', async (t) => {
  const file = join(tempFolder(t), 'file')
  writeFileSync(file, '')
  for (const args of [['dev', '--no-index'], ['dev'], ['db', 'status'], ['start', '--no-index']]) {
    const { exitCode, err } = await runCommandLine(t, [...args, '--port', '0', '--data-dir', join(file, 'data')])
    assert.equal(exitCode, 1, err)
    assert.match(err, /ENOTDIR/)
    assert.match(err, new RegExp(file))
    assert.doesNotMatch(err, /bug/)
  }
})
