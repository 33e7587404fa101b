import { type Command, hasConfiguredNetwork } from './Command.ts'
import { refuseAlso, UsageError, unknownCommand } from './errors.ts'
import { formatCommandHelp, formatHelp } from './formatHelp.ts'

const actions: Command = {
  name: 'actions',
  summary: 'Checks the action classifier against recorded traces.',
  parameters: [{ name: 'action', about: 'conformance', choices: ['conformance'] }],
  notes: [
    'conformance reads cases.json and traces/ in the folder --dir, classifies each trace and compares the actions with the expected ones. It prints one line per difference and a summary line; the exit code is 1 if there are differences.',
  ],
  examples: [['chaincenter actions conformance --dir recorded', 'checks all traces recorded in the folder recorded']],
  run: async (context, words) => (await import('./commands/runActions.ts')).runActions(context, words),
}

const call: Command = {
  name: 'call',
  summary: 'Calls an API method of a running service and prints the result. Without arguments it lists the methods.',
  parameters: [
    { name: 'method', about: 'Method name, such as getMasterchainInfo or jetton/wallets.', optional: true },
    { name: 'argument', about: 'Arguments as name=value, or one JSON object.', optional: true, repeats: true },
  ],
  notes: [
    'The service is at --url, or at --port on this machine. The method is looked up in v2, then v3, then the controls of the embedded network (dev); --api selects one of them. Arguments are validated before the request is sent. Repeat an argument to pass a list; a value that starts with [ or { is JSON.',
    'The result is printed as JSON, without the v2 envelope. Integers of more than 53 bits are printed as strings.',
  ],
  examples: [
    ['chaincenter call getMasterchainInfo', 'the newest block'],
    ['chaincenter call transactions account=EQ… limit=5', 'the last five transactions of an account'],
    ['chaincenter call runGetMethod address=EQ… method=seqno', 'runs a get-method'],
    [
      'chaincenter call faucet address=EQ… amount=5000000000',
      'sends five coins from the faucet of the embedded network',
    ],
    [
      'chaincenter call --url https://api.example.org --api-key KEY --api v3 estimateFee …',
      'a remote service with an API key',
    ],
  ],
  run: async (context, words) => (await import('./commands/runCall.ts')).runCall(context, words),
}

const db: Command = {
  name: 'db',
  summary:
    'Maintains the database: runs migrations, shows the status, verifies, repairs, reclassifies or rewinds the index, compacts its indexes, and moves, exports or imports old history.',
  parameters: [
    {
      name: 'action',
      about: 'migrate, status, verify, repair, reclassify, rewind, export, import, move or compact.',
      choices: ['migrate', 'status', 'verify', 'repair', 'reclassify', 'rewind', 'export', 'import', 'move', 'compact'],
    },
    { name: 'seqno', about: 'For rewind: masterchain block to rewind to.', optional: true },
  ],
  notes: [
    'Without --database-url the command uses the embedded PostgreSQL with its data in the data folder. If another chaincenter process already runs that server, it is shared; otherwise the command starts it and stops it at the end.',
    'migrate is safe to run at any time and concurrently: one process migrates and the others wait. Migrations only go forward; a database migrated by a newer version is refused.',
    'With --distribute, migrate also distributes the tables over a Citus cluster, mostly by account: transactions, messages, traces, actions, token events and account states go to the workers, blocks stay on the coordinator, and token masters, collections, sales and metadata are on every node. Tables with rows are moved, one after the other, with a line of progress for each piece; tables that are distributed already are left alone. Stop the indexer first; servers may go on answering. It is experimental: tried with small indexes only, and with all nodes on one machine.',
    'status shows the row counts that PostgreSQL estimates; transactions are counted exactly unless there are very many blocks.',
    'verify reads the rows of all covered blocks, or of the blocks from --from to --to, and compares them with the hash stored at write time. If a network or --archive is configured, every block is also compared with its source; if the data folder holds an embedded network, every block in its packages is compared with its hash, and damage is reported with file and block. It prints one line per finding and a summary line; the exit code is 1 if there are findings. An indexer may run at the same time.',
    'repair does the same and replaces damaged rows with those of the source. It does not touch traces, token events and contracts: rewind and index again to repair them. The exit code is 1 if something could not be repaired.',
    'reclassify classifies the traces that ended in the blocks from --from to --to, or all traces, into actions again: use it after an upgrade with new action patterns. Blocks are not indexed again. If an indexer is running, the indexer does the work.',
    'rewind deletes everything indexed above a masterchain block; the next run of index resumes there. repair and rewind need the leader lease and refuse to run while an indexer is running.',
    'export writes the partitions below --before to Parquet files in --folder, with a manifest and checksums, and reads every file back. It goes on where an interrupted export stopped. With --drop it then drops the partitions, as --retention does; for that the indexer must be stopped. import brings them back, the newest first, and refuses damaged files. Both need the packages hyparquet and hyparquet-writer.',
    'move moves the partitions below --before with their indexes to another --tablespace of the server. Reads of a table wait while it is copied.',
    'compact rebuilds B-tree indexes over 4 MiB that are loosely filled, one after the other, and prints one line per index and a summary line. Reads, writes and the indexer go on. It needs free disk for a copy of the largest of these indexes; if there is none, or at Ctrl-C, the old index stays. It gives up if another transaction stays open for 30 s. A second run rebuilds only what has become loose since. It is refused on a Citus cluster.',
  ],
  examples: [
    ['chaincenter db status', 'coverage, lag, size and growth per day'],
    ['chaincenter db migrate --database-url postgres://user:password@host:5432/name', 'migrates an external database'],
    ['chaincenter db verify --network main --from 60000000', 'compares rows with their hashes and with the network'],
    ['chaincenter db rewind 60000000', 'deletes everything above a block'],
    ['chaincenter db export --before 2026-01-31 --folder cold --drop', 'moves old history to Parquet files'],
    ['chaincenter db import --folder cold', 'brings it back'],
    ['chaincenter db compact', 'makes loosely filled indexes smaller, while everything goes on'],
  ],
  run: async (context, words) => (await import('./database/runDb.ts')).runDb(context, words),
}

const dev: Command = {
  name: 'dev',
  summary:
    'Runs an embedded network with funded accounts, a liteserver, both APIs and the explorer. No configuration is needed.',
  parameters: [],
  notes: [
    'Blocks, states and proofs have the formats of a real network; one validator in this process makes them. Contracts run in the TVM. The network is stored in the data folder and resumes at the next start; --ephemeral stores nothing, --reset creates a new network.',
    'The HTTP server has the explorer at /, the API reference at /docs, v2 at /api/v2, v3 at /api/v3 and the controls of the network at /dev. Ecosystem clients (TonClient of @ton/ton, tonweb) use /ton/api/v2/jsonRPC, which answers in the dialect they expect.',
    'With --json the command prints one line when the network is ready: the HTTP endpoints (url, v2, v2Ton), the liteserver endpoint, the path of the global configuration, and ten accounts with their mnemonics.',
  ],
  examples: [
    ['chaincenter dev', 'a network with ten funded accounts, stored in .chaincenter'],
    ['chaincenter dev --shards 4 --demo', 'four shards, and demo contracts with traffic'],
    ['chaincenter dev --mining instant --ephemeral --json', 'for scripts: a block for each message, nothing stored'],
    ['chaincenter dev --fork main', 'a fork of the main network at its newest block'],
    ['chaincenter dev --reset', 'creates a new network'],
  ],
  isService: true,
  isSparing: () => true,
  run: async (context) => {
    refuseAlso(context.config, 'dev')
    return (await import('./start/runStart.ts')).runEmbedded(context)
  },
}

const doctor: Command = {
  name: 'doctor',
  summary: 'Diagnoses every configured liteserver and says how to fix it.',
  parameters: [],
  notes: [
    'It detects a failed connection, a wrong key, a wrong network, a node that is out of sync or too old, clock skew, a missing init block, and invalid proofs. A server without the start of the chain is reported, but is not faulty. The command takes at most about ten seconds.',
    'The exit code is 0 if all servers are fine, 1 if one is faulty, 2 if no server is configured.',
  ],
  examples: [
    ['chaincenter doctor --network main', 'all published liteservers of the main network'],
    ['chaincenter doctor --global-config global.config.json', 'the liteservers of a private network'],
    ['chaincenter doctor --liteserver 127.0.0.1:4443:KEY', 'one server; its key is base64'],
  ],
  run: async (context) => (await import('./commands/runDoctor.ts')).runDoctor(context),
}

const fork: Command = {
  name: 'fork',
  summary: 'Shows what the fork in the data folder has fetched from the forked network.',
  parameters: [{ name: 'action', about: 'status', choices: ['status'] }],
  notes: [
    'status prints the forked network, the fork block, and every account and library fetched so far; accounts that do not exist there are listed too. All of them work offline. The command reads files only and may run while the network is running.',
  ],
  examples: [
    ['chaincenter fork status', 'what the fork has fetched'],
    ['chaincenter fork status --json', 'the same as JSON'],
  ],
  run: async (context, words) => (await import('./dev/runFork.ts')).runFork(context, words),
}

const help: Command = {
  name: 'help',
  summary: 'Shows all commands and settings, or one command.',
  parameters: [{ name: 'command', about: 'Command to explain.', optional: true }],
  examples: [
    ['chaincenter help', 'everything'],
    ['chaincenter help dev', 'one command; chaincenter dev --help is the same'],
  ],
  run({ commands, show }, [wanted]) {
    const names = commands.map(({ name, summary }) => ({ name, summary }))
    if (wanted === undefined) return show({ text: formatHelp(commands), value: { commands: names } })
    const command = commands.find(({ name }) => name === wanted)
    if (command === undefined) throw unknownCommand(wanted, commands)
    const { name, summary, parameters } = command
    show({ text: formatCommandHelp(command), value: { name, summary, parameters } })
  },
}

const indexChain: Command = {
  name: 'index',
  summary: 'Indexes a network: reads blocks and writes transactions, messages, traces and tokens to the database.',
  parameters: [],
  notes: [
    'Blocks come from the liteservers of the network, or with --archive from the archive packages of a node. The indexer follows the head first and backfills history behind it; "chaincenter db status" shows what is covered.',
    'A stopped or killed indexer resumes where it was. Several may run at the same time: one is the leader and writes, the others are standbys. A standby takes over within 3 seconds if the leader dies, within 10 if it hangs.',
    '--from and --to limit the range of blocks, --watch the accounts, --retention the history.',
  ],
  examples: [
    ['chaincenter index --network main --retention 1000000', 'follows the head and backfills about a month'],
    [
      'chaincenter index --archive /var/ton-work/db --from 1 --to 100000',
      'from the archive packages of a node; exits when all blocks are indexed',
    ],
    [
      'chaincenter index --global-config global.config.json --watch EQ… --watch EQ…',
      'only the transactions of two accounts',
    ],
  ],
  isService: true,
  run: async (context) => (await import('./index/runIndex.ts')).runIndex(context),
}

const inspect: Command = {
  name: 'inspect',
  summary: 'Decodes an address, a hash, a block id, a bag of cells, or a file with one of them. Works offline.',
  parameters: [{ name: 'what', about: 'Value to decode, or the path of a file.', isPath: true }],
  notes: [
    'An address is shown in all its forms. A bag of cells (bytes, hex or base64) is shown with its size and cells; a block, state, transaction, message, account, contract state, code or proof is decoded; code is shown as instructions, with its methods by name. Message bodies are decoded with the built-in layouts and those of --layouts.',
  ],
  examples: [
    ['chaincenter inspect EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N', 'an address in all its forms'],
    ['chaincenter inspect te6cckEBAQEAAgAAAEysuc0=', 'a bag of cells'],
    ['chaincenter inspect block.boc', 'a file: a block, a message, an account'],
    ['chaincenter inspect block.boc --json', 'the same as JSON'],
  ],
  run: async (context, words) => (await import('./inspect/runInspect.ts')).runInspect(context, words),
}

const keys: Command = {
  name: 'keys',
  summary: 'Manages API keys: creates, lists, revokes and rotates them, and shows their usage.',
  parameters: [
    {
      name: 'action',
      about: 'create, list, revoke, rotate or usage.',
      choices: ['create', 'list', 'revoke', 'rotate', 'usage'],
    },
    { name: 'key', about: 'For revoke, rotate and usage: prefix of the key, as list shows it.', optional: true },
  ],
  notes: [
    'create makes a key for --network with --plan and prints it; it is not shown again. The database stores a keyed hash; its secret is in the data folder or in --keys-secret. Running services accept the key within a second.',
    'A key may read everything within its plan. --scope names its further rights, and then it has no others: webhooks:read, webhooks:write, debug, which keys have by default, and stream:all.',
    'revoke disables a key everywhere within two seconds. rotate makes a new key with the same plan and owner; the old key stays valid for --overlap, and both share one rate limit.',
    'usage shows requests per endpoint in the last --days, of all keys or of one; the last few seconds may be missing.',
    'Without --database-url the command uses the embedded PostgreSQL in the data folder, also while a service is running.',
  ],
  examples: [
    [
      'chaincenter keys create --network main --plan plus --owner alice --note "price feed"',
      'a key with 25 requests per second',
    ],
    ['chaincenter keys create --plan custom --rate 500:1000', 'a key with a custom rate limit'],
    ['chaincenter keys create --scope stream:all --scope webhooks:read', 'a key that may stream everything'],
    ['chaincenter keys rotate cc_main_4fq2k7zt9w --overlap 7d', 'a new key; the old one is valid for a week'],
    ['chaincenter keys usage --days 7 --json', 'usage of a week as JSON'],
  ],
  run: async (context, words) => (await import('./commands/runKeys.ts')).runKeys(context, words),
}

const webhooks: Command = {
  name: 'webhooks',
  summary: 'Manages webhooks of a running service: registers, tests, lists and deletes endpoints, and redelivers.',
  parameters: [
    {
      name: 'action',
      about: 'list, add, test, remove, deliveries or redeliver.',
      choices: ['list', 'add', 'test', 'remove', 'deliveries', 'redeliver'],
    },
    {
      name: 'target',
      about: 'URL for add, else the id of an endpoint; for redeliver also of a delivery.',
      optional: true,
    },
    {
      name: 'field',
      about: 'For add: fields as name=value; for deliveries: state=, limit= or cursor=.',
      optional: true,
      repeats: true,
    },
  ],
  notes: [
    'The service is at --url, or at --port on this machine; --api-key names the owner. On an embedded network no key is needed.',
    'add registers a URL with a subscription, sends a test and prints the secret, which is not shown again. Fields of the subscription are those of streaming: types, addresses and so on; lists may repeat or have commas. One JSON object works, too. description, ordering, thin, signature, enabled and since are fields of the endpoint. See docs/webhooks.md.',
    'test exits with 1 if the endpoint does not accept the test. redeliver sends one delivery again, or all dead ones of an endpoint.',
  ],
  examples: [
    [
      'chaincenter webhooks add https://example.org/hook types=transactions addresses=EQ…',
      'transactions of an account',
    ],
    ['chaincenter webhooks list', 'all endpoints, with what waits and what died'],
    ['chaincenter webhooks deliveries we_2f9c4e1b7a60d835 state=dead', 'deliveries that died'],
    ['chaincenter webhooks redeliver we_2f9c4e1b7a60d835', 'sends them again'],
  ],
  run: async (context, words) => (await import('./commands/runWebhooks.ts')).runWebhooks(context, words),
}

/** Formats of arguments and answers. */
const argumentForms = [
  'Arguments are name=value pairs or one JSON object. Blocks: "(-1,8000000000000000,395):ROOTHASH:FILEHASH", a JSON object, or "last" for the newest masterchain block. Accounts: any form of address. Hashes: hex or base64. Bytes: hex, base64, or @ followed by the path of a file. Shards: 16 hex digits or a signed decimal number. Numbers: decimal or hex with 0x; method_id also takes the name of a get-method. Lists: values separated by commas. Mode bits of optional arguments are set automatically.',
  'The answer is JSON with the names of the TL schema: bytes and hashes as hex, shards as 16 hex digits, other 64-bit numbers as decimal strings. Proofs are not checked. --raw prints the answer as hex bytes, and accepts a request as hex bytes.',
  'If several liteservers are configured, the first one that answers is used.',
]

const lite: Command = {
  name: 'lite',
  summary: 'Sends one request to a liteserver and prints the answer. Without arguments it lists the functions.',
  parameters: [
    { name: 'function', about: 'Function name, with or without "liteServer.".', optional: true },
    { name: 'argument', about: 'Arguments as name=value, or one JSON object.', optional: true, repeats: true },
  ],
  notes: argumentForms,
  examples: [
    [
      'chaincenter lite getMasterchainInfo --global-config .chaincenter/global.config.json',
      'the newest block of the embedded network',
    ],
    ['chaincenter lite getAccountState id=last account=EQ… --network main', 'an account at the newest block'],
    ['chaincenter lite', 'lists the functions'],
  ],
  run: async (context, words) => (await import('./lite/runLite.ts')).runLite(context, words),
}

const replay: Command = {
  name: 'replay',
  summary: 'Serves a recorded chain as a liteserver.',
  parameters: [
    {
      name: 'folder',
      about: 'Folder with block files, zerostates or archive packages.',
      isPath: true,
      repeats: true,
    },
  ],
  notes: [
    'Folders are searched recursively for *.boc (blocks and zerostates), *.pack (archive packages of a node) and *.tar.gz with packages. The chain starts at the zerostates. Every block is checked against its id and applied to the previous state; a missing or invalid block is reported.',
    'Blocks are stored in archive packages in the data folder, states in memory. The command writes a global configuration for clients to the data folder. External messages are refused.',
  ],
  examples: [
    ['chaincenter replay recorded', 'a recorded chain as a liteserver'],
    ['chaincenter replay recorded --liteserver-port 4443', 'on a fixed port'],
  ],
  run: async (context, folders) => (await import('./replay/runReplay.ts')).runReplay(context, folders),
}

const serve: Command = {
  name: 'serve',
  summary: 'Serves the APIs only, over your own node and database; run as many of these as needed.',
  parameters: [],
  notes: [
    'v2 is served if a network is configured: --network, --global-config or --liteserver. v3 is served if --database-url is the database of "chaincenter index" or "chaincenter start".',
    '--workers starts several processes on the same port, to use all cores; a worker that exits is restarted. Processes on several machines share rate limits and pending messages through --redis-url.',
    'After a stop signal /ready answers 503 (--drain-delay); then the process accepts no new requests and finishes those in flight (--drain-timeout).',
  ],
  examples: [
    ['chaincenter serve --network main --workers 4', 'v2 of the main network, in four processes'],
    [
      'chaincenter serve --global-config global.config.json --database-url postgres://user:password@host:5432/name',
      'v2 and v3 over your own node and database',
    ],
  ],
  isService: true,
  run: async (context) => (await import('./serve/runServe.ts')).runServe(context),
}

const start: Command = {
  name: 'start',
  summary:
    'Runs the whole service: both APIs, the indexer and the explorer over the configured network, or over an embedded one like dev.',
  parameters: [],
  notes: [
    'With --network main or test, --global-config or --liteserver the service uses the liteservers of that network. Without any of them it runs an embedded network.',
    'v2 is at /api/v2, v3 at /api/v3, the explorer at / and the API reference at /docs. The indexer is part of it; --no-index disables it. Over a configured network and its index, requests are answered by a process of their own where there are two cores; --workers 0 or 1 decides otherwise. To scale out, run index and serve as separate processes.',
    'With --also the same port serves further networks, each with its own processes, database and rate limits: test at /test, and so on. A network that fails is restarted and does not affect the others. /ready names all networks, /test/ready is about one. API keys of the first network are valid everywhere, those made with keys create --network test on that network only.',
  ],
  examples: [
    ['chaincenter start', 'an embedded network, like dev'],
    ['chaincenter start --network main --retention 100000', 'the main network, with an index of the last days'],
    [
      'chaincenter start --global-config global.config.json --database-url postgres://user:password@host:5432/name',
      'your own network and database',
    ],
    ['chaincenter start --network test --no-index --port 8082', 'v2 only, on another port'],
    ['chaincenter start --network main --also test', 'both public networks: main at /, test at /test'],
  ],
  isService: true,
  isSparing: (config) => !hasConfiguredNetwork(config),
  run: async (context) => {
    if (context.config.also.length > 0) return (await import('./networks/runNetworks.ts')).runNetworks(context)
    return (await import('./start/runStart.ts')).runStart(context)
  },
}

const trace: Command = {
  name: 'trace',
  summary: 'Replays a transaction on proof-checked data and shows how it ran.',
  parameters: [
    {
      name: 'transaction',
      about: 'Hash, link of an explorer, account:lt, or a file written with --save.',
      isPath: true,
    },
  ],
  notes: [
    'The block, the account before it, the configuration and libraries come from liteservers with proofs; earlier transactions of the account in the block are run first. The verdict is exact if the transaction made here has the hash of the one on chain. Without --network, --global-config or --liteserver the command uses the embedded network in the data folder.',
    'account:lt needs a liteserver only. A hash is looked up by a running service: --url, or --port on this machine. Old transactions need an archival liteserver.',
    'The exit code is 0 if the replay is exact, 1 if it is not possible, 3 if it differs. A failure of the contract does not change it.',
    '--dap serves the run to editors that speak the Debug Adapter Protocol, such as VS Code, with stepping in both directions, stack, registers, and breakpoints in the disassembly or, with --source, in the source.',
    'In the stepper of --debug: n next, p previous, N and P ten steps, f failure, g NUMBER goes to a step, q quits.',
  ],
  examples: [
    ['chaincenter trace EQ…:47000003 --network main', 'verdict, phases, fees, actions, and the failing instruction'],
    ['chaincenter trace HASH --url https://api.example.org --network main', 'a hash, looked up by a service'],
    ['chaincenter trace HASH --steps 0-50 --stack 6', 'the first steps with the top of the stack'],
    ['chaincenter trace HASH --gas --gas-profile run.cpuprofile', 'gas by method, and a profile for Chrome'],
    ['chaincenter trace HASH --save failed.json', 'keeps all inputs; chaincenter trace failed.json works offline'],
    ['chaincenter trace failed.json --set balance=5000000000', 'what would have happened with more coins'],
  ],
  run: async (context, words) => (await import('./trace/runTrace.ts')).runTrace(context, words),
}

const gas: Command = {
  name: 'gas',
  summary: 'Takes a snapshot of the gas that transactions use, and checks later runs against it.',
  parameters: [
    { name: 'action', about: 'snapshot or check.', choices: ['snapshot', 'check'] },
    { name: 'file', about: 'File of the snapshot: JSON.' },
    {
      name: 'transaction',
      about: 'Transactions as for trace, such as files written with trace --save.',
      repeats: true,
    },
  ],
  notes: [
    'The transactions are replayed, and their gas is counted by contract and operation. check compares with the snapshot and prints one line per difference; the exit code is 1 if more gas is used than --tolerance allows.',
    'With --set code=FILE the transactions run with new code: what an upgrade costs or saves on real traffic.',
  ],
  examples: [
    ['chaincenter gas snapshot gas.json run1.json run2.json', 'writes a snapshot of two saved replays'],
    ['chaincenter gas check gas.json run1.json run2.json --set code=new.boc --tolerance 1%', 'new code against it'],
  ],
  run: async (context, words) => (await import('./trace/runGas.ts')).runGas(context, words),
}

const init: Command = {
  name: 'init',
  summary: 'Writes a configuration file with every setting, explained, into the current folder.',
  parameters: [],
  notes: [
    'The file is chaincenter.json: JSON with comments. Nothing is set in it; remove the slashes before a line to set it. An existing file is not changed. Flags and environment variables override the file.',
  ],
  examples: [['chaincenter init', 'writes chaincenter.json']],
  run: async (context) => (await import('./commands/runInit.ts')).runInit(context),
}

const completion: Command = {
  name: 'completion',
  summary: 'Prints a script with which a shell completes commands, flags and their values.',
  parameters: [{ name: 'shell', about: 'bash, zsh or fish.', choices: ['bash', 'zsh', 'fish'] }],
  notes: [
    'To complete in every new shell, put the line of the example into ~/.bashrc, ~/.zshrc or ~/.config/fish/config.fish.',
  ],
  examples: [
    ['chaincenter completion bash > ~/.chaincenter-completion.bash', 'then: source ~/.chaincenter-completion.bash'],
    ['chaincenter completion zsh > ~/.chaincenter-completion.zsh', 'then: source ~/.chaincenter-completion.zsh'],
    ['chaincenter completion fish > ~/.config/fish/completions/chaincenter.fish', 'fish finds it there'],
  ],
  run: async ({ commands: all, show }, [shell = '']) => {
    const { formatCompletion, isShell, shells } = await import('./formatCompletion.ts')
    if (!isShell(shell))
      throw new UsageError(`Unknown shell ${JSON.stringify(shell)}.`, `The shells are: ${shells.join(', ')}.`)
    const script = formatCompletion(shell, all)
    show({ text: script.trimEnd(), value: { shell, script } })
  },
}

/** Every command, in the order in which help shows them. */
export const commands: readonly Command[] = [
  start,
  dev,
  fork,
  serve,
  indexChain,
  db,
  keys,
  webhooks,
  doctor,
  call,
  inspect,
  trace,
  gas,
  lite,
  replay,
  actions,
  init,
  completion,
  help,
]
