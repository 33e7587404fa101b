import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostileCodes } from '../../test/support/hostileCode.ts'
import { CellWriter } from '../codec/cell/CellWriter.ts'
import { createWallet } from '../devnet/wallets/wallets.ts'
import { openThreadClock } from '../observe/threads.ts'
import { fromHex } from '../primitives/hex.ts'
import { writeCodeText } from './codeText.ts'
import { listCode } from './listCode.ts'

const nameOf = (id: number): string => (id === 0 ? 'recv_internal' : `method_${id}`)
const code = (hex: string) => new CellWriter().writeBytes(fromHex(hex))

test('instructions, continuations and references in both styles', () => {
  // 2 PUSHINT, PUSHCONT of DUP, IF; then CALLREF of a cell with INC, and a cell to go on in.
  const called = code('A4').toCell()
  const next = code('30').toCell()
  const cell = code('729120DEDB3C').writeRef(called).writeRef(next).toCell()
  assert.equal(
    writeCodeText(cell, 'tasm', nameOf),
    'PUSHINT 2\nPUSHCONT {\n  DUP\n}\nIF\nCALLREF {\n  INC\n}\nref {\n  DROP\n}\n',
  )
  assert.equal(
    writeCodeText(cell, 'fift', nameOf),
    '<{\n  2 PUSHINT\n  <{\n    DUP\n  }> PUSHCONT\n  IF\n  <{\n    INC\n  }> CALLREF\n  <{\n    DROP\n  }> JMPREF\n}>c\n',
  )
})

test('a wallet is a program of methods', () => {
  const { init } = createWallet('v4r2', new Uint8Array(32), -239)
  const fift = writeCodeText(init.code!, 'fift', nameOf)
  assert.match(fift, /^PROGRAM\{\n( {2}-?[0-9]+ DECLMETHOD \S+\n)+ {2}\S+ PROC:<\{/)
  assert.match(fift, /\}END>c\n$/)
  const tasm = writeCodeText(init.code!, 'tasm', nameOf)
  assert.match(tasm, /^SETCP 0\nDICTPUSHCONST 19 \[\n {2}-1 => \{ \/\/ method_-1\n/)
  for (const text of [fift, tasm]) assert.doesNotMatch(text, /not code/)
})

const clock = openThreadClock()
const readMs = (): number => clock?.readMs() ?? performance.now()

test('small code that is enormous when it is spelled out is cut, and costs little', () => {
  for (const [name, hostile] of Object.entries(hostileCodes())) {
    const begun = readMs()
    const listing = listCode(hostile)
    const texts = [JSON.stringify(listing), writeCodeText(hostile, 'tasm', nameOf)]
    const ms = readMs() - begun
    for (const text of texts) assert.ok(text.length < 16_000_000, `${name}: ${text.length} characters`)
    assert.ok(ms < 3000, `${name}: ${ms} ms`)
    if (name.startsWith('many')) assert.ok(listing.truncated && listing.methods.length > 1000, name)
  }
})
