import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommandLine } from '../../../test/support/runCommandLine.ts'
import { tempFolder } from '../../../test/support/tempFolder.ts'
import { startNetwork } from '../dev/startNetwork.ts'
import { networkFolder } from '../start/prepareNetwork.ts'

test('db verify finds damage in an old package of the embedded network, and names block and file', {
  timeout: 120_000,
}, async (t) => {
  const folder = tempFolder(t)
  const network = await startNetwork({ folder, mining: { mode: 'manual' } })
  await network.controls.mine(5)
  await network.close()
  const args = ['db', 'verify', '--data-dir', folder]
  const whole = await runCommandLine(t, args)
  assert.equal(whole.exitCode, 0, whole.err)
  assert.match(whole.out, /^packages of .*network: \d+ blocks, 0 findings\nThis data folder has no index\.\n$/)

  const packages = join(networkFolder(folder), 'archive', 'packages', 'arch0000')
  const path = join(
    packages,
    readdirSync(packages)
      .sort()
      .find((name) => /^archive\.\d+\.pack$/.test(name))!,
  )
  const bytes = readFileSync(path)
  bytes[bytes.length >> 2]! ^= 1
  writeFileSync(path, bytes)
  const damaged = await runCommandLine(t, args)
  assert.equal(damaged.exitCode, 1, damaged.err)
  assert.match(
    damaged.out,
    /^\d+ package_damaged: (Block|The proof of block) \(-1,8000000000000000,\d+\) in .*\.pack is damaged: /,
  )
  assert.ok(damaged.out.includes(path))
  const told = JSON.parse((await runCommandLine(t, [...args, '--json'])).out) as {
    network: { damaged: { file: string }[] }
  }
  assert.deepEqual(
    told.network.damaged.map(({ file }) => file),
    [path],
  )
})
