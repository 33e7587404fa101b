import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { isChainError } from '../../../test/support/chainFolder.ts'
import { tempFolder } from '../../../test/support/tempFolder.ts'
import { lockFolder } from './lockFolder.ts'

describe('lockFolder', () => {
  it('takes a folder once', (t) => {
    const folder = tempFolder(t)
    const unlock = lockFolder(folder)
    assert.throws(
      () => lockFolder(join(folder, '../', folder.split('/').at(-1)!)),
      isChainError(/by this process already/),
    )
    unlock()
    assert.deepEqual(readdirSync(folder), [])
    lockFolder(folder)()
  })

  it('respects a process that lives', (t) => {
    const folder = tempFolder(t)
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'])
    t.after(() => child.kill())
    writeFileSync(join(folder, 'lock'), `${child.pid} \n`)
    assert.throws(() => lockFolder(folder), isChainError(new RegExp(`is in use by process ${child.pid}\\.$`)))
    if (existsSync('/proc/self/stat')) {
      writeFileSync(join(folder, 'lock'), `${child.pid} 12\n`)
      lockFolder(folder)()
    }
  })

  it('takes over what a process left that is gone', (t) => {
    const folder = tempFolder(t)
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    for (const content of [`${pid} 77\n`, `${pid} \n`, `${process.pid} 1\n`, 'torn', '']) {
      writeFileSync(join(folder, 'lock'), content)
      const unlock = lockFolder(folder)
      assert.deepEqual(readdirSync(folder), ['lock'])
      unlock()
      assert.deepEqual(readdirSync(folder), [])
    }
  })
})
