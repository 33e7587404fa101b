import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import { beginCell, external, internal, storeMessage } from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { WalletContractV4 } from '@ton/ton'
import { commands } from '../../src/cli/commands.ts'
import type { RunningNetwork } from '../../src/cli/dev/startNetwork.ts'
import { parseLayoutFile } from '../../src/contracts/layouts/parseLayoutFile.ts'
import { repository } from '../support/childScript.ts'
import { haveCurl, type Piece, pieceFolder, piecesIn, readPieces, runPiece } from '../support/docPieces.ts'
import { type Coverage, countBlocks, coverage } from '../support/docSamples.ts'
import { runCommandLine } from '../support/runCommandLine.ts'

const run = promisify(execFile)
const elector = `-1:${'3'.repeat(64)}`

/** Code blocks of README and of the pages that need a service and no page test has. Says how many blocks there are, and how they are covered. */
export const runPageSamples = async (t: TestContext, network: RunningNetwork): Promise<void> => {
  const counts = Object.fromEntries(Object.entries(coverage).map(([page, blocks]) => [page, blocks.length]))
  assert.deepEqual(countBlocks(), counts, 'A code block was added or removed: name it in test/support/docSamples.ts.')
  const samples = await fillingsOf(network)
  await Promise.all([runClientSamples(t, network), runEmulateSample(t, network, samples)])
  await runReadmeCommands(t, network)
  if (haveCurl(t)) await runRequests(network, samples)
  parseLayoutFile(piecesIn(readPieces('docs/message-layouts.md'), 'json')[0]!)
  for (const page of Object.keys(coverage)) await parseBlocks(t, page)
  const all = Object.values(coverage).flat()
  const count = (kind: Coverage): number => all.filter((each) => each === kind).length
  t.diagnostic(
    `code blocks: ${all.length}; run ${count('run')}, parsed ${count('parse')}, parts of files that run ${count('part')}, shown only ${count('shown')}`,
  )
}

type Fillings = { readonly wallet: string; readonly hash: string; readonly boc: string }

/** What stands for the placeholders: a funded wallet, a transaction, a signed message. */
const fillingsOf = async ({ accounts, client }: RunningNetwork): Promise<Fillings> => {
  const { address, mnemonic } = accounts.find(({ walletType }) => walletType === 'v4r2')!
  const { publicKey, secretKey } = await mnemonicToPrivateKey(mnemonic.split(' '))
  const wallet = WalletContractV4.create({ workchain: 0, publicKey })
  const { seqno = 0 } = await client.v2.getWalletInformation({ address })
  const to = elector
  const body = wallet.createTransfer({
    seqno,
    secretKey,
    messages: [internal({ to, value: '0.1', bounce: false })],
  })
  const message = beginCell()
    .store(storeMessage(external({ to: wallet.address, body })))
    .endCell()
  const { transactions } = await client.v3.transactions({ account: elector, limit: 1 })
  return { wallet: address, hash: transactions[0]!.hash, boc: message.toBoc().toString('base64') }
}

const fill = (text: string, url: string, { wallet, hash, boc }: Fillings): string =>
  text
    .replaceAll(/(http:\/\/)?(127\.0\.0\.1|localhost):8081/g, url)
    .replaceAll('-1:3333…', elector)
    .replaceAll('te6cck…', boc)
    .replaceAll('"hash":"…"', `"hash":"${hash}"`)
    .replaceAll(/(UQ|EQ)…/g, wallet)

/** README: calls, and a subscription that ends at its first transaction. */
const runClientSamples = async (t: TestContext, { url, client }: RunningNetwork): Promise<void> => {
  const account = '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8'
  const [calls, subscription] = piecesIn(
    readPieces('README.md', { 'http://127.0.0.1:8081': url!, 'UQ…': account }),
    'ts',
  )
  const ending = subscription!.replace(/\}\s*$/, "  if (event.type === 'transactions') process.exit()\n}\n")
  const gifts = setInterval(() => void client.dev.faucet({ address: account, amount: '1000000000' }), 1500)
  t.after(() => clearInterval(gifts))
  const said = await runPiece(pieceFolder(t), 'readme', `${calls}\n${ending}`)
  clearInterval(gifts)
  assert.match(said, /^(\S{44}\n)*\d+ f-\S+\n$/)
}

const runEmulateSample = async (t: TestContext, { url }: RunningNetwork, { boc }: Fillings): Promise<void> => {
  const [sample] = piecesIn(readPieces('docs/emulate.md'), 'ts')
  const before = `import { createClient } from 'chaincenter/client'
const client = createClient({ url: '${url}' })
const boc = '${boc}'
`
  assert.match(await runPiece(pieceFolder(t), 'emulate', before + sample), /^\d+ \{/)
}

const linesOf = (pieces: readonly Piece[]): string[] =>
  piecesIn(pieces, 'sh')
    .flatMap((text) => text.replaceAll('\\\n', ' ').trim().split('\n'))
    .map((line) => line.replace(/\s+# .*$/, ''))

const runReadmeCommands = async (t: TestContext, { url }: RunningNetwork): Promise<void> => {
  const lines = linesOf(readPieces('README.md')).filter((line) => /^chaincenter (call|inspect) /.test(line))
  assert.equal(lines.length, 4)
  for (const line of lines) {
    const [, command, ...rest] = line.split(' ')
    const { exitCode, err } = await runCommandLine(t, [
      command!,
      ...rest,
      ...(command === 'call' ? ['--url', url!] : []),
    ])
    assert.deepEqual([exitCode, err], [0, ''], line)
  }
}

/** The requests of the pages about architecture, debugger and emulation. */
const runRequests = async ({ url }: RunningNetwork, samples: Fillings): Promise<void> => {
  for (const page of ['docs/architecture.md', 'docs/debugger.md', 'docs/emulate.md']) {
    const blocks = piecesIn(readPieces(page), 'sh').map((text) => fill(text.replace('npm start\n', ''), url!, samples))
    for (const block of blocks.filter((text) => text.startsWith('curl '))) {
      const answer = JSON.parse((await run('sh', ['-c', `exec ${block.replace('curl ', 'curl -s ')}`])).stdout)
      assert.equal(answer.error, undefined, `${page}: ${block}\n${answer.error}`)
    }
  }
  const [steps] = piecesIn(readPieces('docs/emulate.md'), 'json')
  const response = await fetch(`${url}/api/emulate/v1/simulate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: fill(steps!, url!, samples),
  })
  const simulated = (await response.json()) as { readonly error?: string }
  assert.deepEqual([response.status, simulated.error], [200, undefined])
}

/** Commands parse with their settings, shell and JSON are well-formed, scripts exist. */
const parseBlocks = async (t: TestContext, page: string): Promise<void> => {
  const pieces = readPieces(page)
  for (const json of piecesIn(pieces, 'json')) JSON.parse(json)
  const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { scripts: object }
  for (const line of linesOf(pieces)) {
    for (const [, script] of line.matchAll(/npm run ([\w:]+)/g)) assert.ok(script! in scripts, `${page}: ${line}`)
    for (const command of line.split('&&').map((each) => each.trim())) await parseCommand(t, page, command)
  }
  if (process.platform === 'win32') return
  for (const text of piecesIn(pieces, 'sh')) await run('sh', ['-n', '-c', text])
}

const parseCommand = async (t: TestContext, page: string, command: string): Promise<void> => {
  if (!command.startsWith('chaincenter ')) return
  const words = command
    .replace(/"\$\([^)]*\)"/, 's'.repeat(32))
    .replaceAll(/\b(BASE64KEY|KEY_IN_BASE64|KEY)\b/g, `${'A'.repeat(43)}=`)
    .replaceAll('://…', '://db')
    .split(/\s+/)
    .slice(1)
  // They do everything but their work.
  const idle = commands.map((each) => ({ ...each, run: () => undefined }))
  const { exitCode, err } = await runCommandLine(t, words, {}, idle)
  assert.deepEqual([exitCode, err], [0, ''], `${page}: ${command}`)
}
