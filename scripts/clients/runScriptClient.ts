import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientStage } from './clientStage.ts'
import { type Command, execute, isAtHand } from './execute.ts'
import { BY_SCRIPT, type Check, type ClientRun } from './matrixPage.ts'
import type { ScriptClient } from './scriptClients.ts'

const INSTALL_MS = 15 * 60_000
const RUN_MS = 10 * 60_000
const SHOWN = 1500

/** Installs a library and runs its checks; a text says why it could not be run. */
export const runScriptClient = async (
  client: ScriptClient,
  stage: ClientStage,
  folder: string,
): Promise<ClientRun | string> => {
  const { library, version, speaks } = client
  const missing = client.needs.filter((program) => !isAtHand(program))
  if (missing.length > 0) return `there is no program ${missing.join(', none ')}`
  const cwd = join(folder, `${library}-${version}`.replaceAll(/[^\w.]+/g, '-'))
  mkdirSync(cwd, { recursive: true })
  client.write(cwd)
  for (const command of client.install) {
    const { code, out, err } = await execute(command, { cwd, limitMs: INSTALL_MS })
    if (code !== 0) return `"${command.join(' ')}" failed with ${code}\n${(out + err).slice(-SHOWN)}`
  }
  const path = await stage.describe(cwd)
  const described = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string> & Described
  const env = { CLIENT_NETWORK: path, WALLET_MNEMONIC: described.wallet.mnemonic, WALLET_VERSION: 'v4r2' }
  const checks: Check[] = []
  for (const [program, ...args] of client.run) {
    const filled: Command = [program, ...args.map((word) => word.replace(/^\{(\w+)\}$/, (_, name) => described[name]!))]
    const { code, out, err } = await execute(filled, { cwd, limitMs: RUN_MS, env })
    const found = parseChecks(out, client)
    checks.push(...found)
    if (code !== 0 || found.length === 0)
      checks.push({ name: `${program} ends in order`, reason: `exit code ${code}: ${(out + err).slice(-SHOWN)}` })
  }
  return { library, version, speaks, runBy: BY_SCRIPT, checks }
}

type Described = { readonly wallet: { readonly mnemonic: string } }

/** What the program said of each check. */
const parseChecks = (out: string, { failures = {} }: ScriptClient): Check[] =>
  [...out.matchAll(/^check\t(passed|failed)\t([^\t\r\n]+)(?:\t(.*))?$/gm)].map(([, verdict, name = '', reason]) =>
    verdict === 'passed' ? { name } : { name, reason: failures[name] ?? reason?.trim() ?? 'no reason given' },
  )
