import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CellWriter } from '../codec/cell/CellWriter.ts'
import { createWallet } from '../devnet/wallets/wallets.ts'
import { fromHex } from '../primitives/hex.ts'
import { writeCodeText } from './codeText.ts'

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
