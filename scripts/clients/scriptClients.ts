import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from '../../test/support/childScript.ts'
import { type Command, PYTHON } from './execute.ts'

/** A library that the script installs into a folder of its own. */
export type ScriptClient = {
  readonly library: string
  readonly version: string
  readonly speaks: string
  /** Programs without which it cannot be run. */
  readonly needs: readonly string[]
  /** Puts the files of its program into the folder. */
  readonly write: (folder: string) => void
  readonly install: readonly Command[]
  readonly run: readonly Command[]
  /** Checks that the library fails by itself, and why. */
  readonly failures?: { readonly [check: string]: string }
}

const here = join(repository, 'scripts/clients')
const copy = (name: string, folder: string, target = name.split('/').at(-1)!): void => {
  mkdirSync(join(folder, target, '..'), { recursive: true })
  copyFileSync(join(here, name), join(folder, target))
}

const inVenv = process.platform === 'win32' ? 'venv/Scripts/python' : 'venv/bin/python'

/** A library of PyPI, in a virtual environment. */
const pythonClient = (client: Pick<ScriptClient, 'library' | 'version' | 'speaks' | 'failures'>, program: string) => ({
  ...client,
  needs: [PYTHON],
  write: (folder: string): void => {
    copy(program, folder)
    copy('checks.py', folder)
  },
  install: [
    [PYTHON, '-m', 'venv', 'venv'],
    [inVenv, '-m', 'pip', 'install', '--quiet', `${client.library}==${client.version}`],
  ] as Command[],
  run: [[inVenv, program]] as Command[],
})

const BLUEPRINT = '0.46.0'
const TONUTILS_GO = '1.12.0'
const TON4J = '1.3.5'

const blueprintRun = ['blueprint', 'run', 'checkCounter', '--mnemonic', '--tonviewer']

const blueprint: ScriptClient = {
  library: '@ton/blueprint',
  version: BLUEPRINT,
  speaks: 'v2 (JSON-RPC), liteserver',
  needs: ['npm'],
  write(folder) {
    copy('blueprint/project.json', folder, 'package.json')
    copy('blueprint/compilerOptions.json', folder, 'tsconfig.json')
    copy('../../test/testing/counter/Counter.ts', folder, 'wrappers/Counter.ts')
    const script = readFileSync(join(here, 'blueprint/checkCounter.ts'), 'utf8')
    mkdirSync(join(folder, 'scripts'), { recursive: true })
    const imported = script.replace('../../../test/testing/counter/Counter.ts', '../wrappers/Counter')
    writeFileSync(join(folder, 'scripts/checkCounter.ts'), imported)
  },
  install: [['npm', 'install', '--silent', '--no-audit', '--no-fund']],
  run: [
    ['npx', ...blueprintRun, '--custom', '{rpc}', '--custom-version', 'v2'],
    ['npx', ...blueprintRun, '--custom', '{configUrl}', '--custom-version', 'liteclient'],
  ],
  failures: {
    'a contract is deployed from a mnemonic (liteserver)':
      'Its liteserver client, ton-lite-client, throws "Unsupported state" for an account that does not exist, on any network.',
  },
}

const tonutilsGo: ScriptClient = {
  library: 'tonutils-go',
  version: TONUTILS_GO,
  speaks: 'liteserver',
  needs: ['go'],
  write(folder) {
    copy('go/main.go', folder)
    writeFileSync(join(folder, 'go.mod'), 'module checks\n\ngo 1.21\n')
  },
  install: [
    ['go', 'get', `github.com/xssnick/tonutils-go@v${TONUTILS_GO}`],
    ['go', 'build', '-mod=mod', '-o', 'checks.exe', '.'],
  ],
  run: [['./checks.exe']],
  failures: {
    'get-methods take and give numbers below -2^63':
      "It negates the bits of such a number instead of reading them as a two's complement; the answer holds the right bits.",
  },
}

const ton4j: ScriptClient = {
  library: 'ton4j',
  version: TON4J,
  speaks: 'v2, liteserver',
  needs: ['java', 'mvn'],
  write(folder) {
    copy('java/Ton4jChecks.java', folder)
    const pom = readFileSync(join(here, 'java/project.xml'), 'utf8')
    writeFileSync(join(folder, 'pom.xml'), pom.replaceAll('TON4J_VERSION', TON4J))
  },
  install: [['mvn', '--quiet', '--batch-mode', 'dependency:copy-dependencies', '-DoutputDirectory=lib']],
  run: [['java', '-cp', 'lib/*', 'Ton4jChecks.java']],
  failures: {
    'transactions of an account by getTransactionsStd (v2)':
      'It reads the source of a message as text, and the published interface has an object there.',
  },
}

/** Libraries that are too large for node_modules, or written in other languages. */
export const scriptClients: readonly ScriptClient[] = [
  blueprint,
  tonutilsGo,
  pythonClient({ library: 'pytoniq', version: '0.1.43', speaks: 'liteserver' }, 'pytoniqChecks.py'),
  pythonClient({ library: 'tonutils', version: '2.5.1', speaks: 'v2, liteserver' }, 'tonutilsChecks.py'),
  pythonClient({ library: 'tonutils', version: '0.5.8', speaks: 'v3, v2' }, 'tonutilsV3Checks.py'),
  pythonClient({ library: 'pytonlib', version: '0.0.72', speaks: 'liteserver (C++ tonlib)' }, 'pytonlibChecks.py'),
  ton4j,
]
