type Explanation = { readonly sign: RegExp; readonly sentence: string }

const explanations: readonly Explanation[] = [
  {
    sign: /No space left on device|Disk quota exceeded/,
    sentence: 'There is no space left on its disk. Make room and start again.',
  },
  {
    sign: /database files are incompatible with server/,
    sentence: 'Its files were made by another version of PostgreSQL, or for another kind of machine.',
  },
  {
    sign: /could not bind|could not create any (Unix-domain|TCP\/IP) sockets|Address already in use/,
    sentence: 'It could not listen on its socket: something else holds it.',
  },
  {
    sign: /lock file "postmaster\.pid" already exists/,
    sentence: 'Another server, which this program did not start, uses its files.',
  },
  {
    sign: /could not (map anonymous|create) shared memory|Cannot allocate memory/,
    sentence: 'The system did not give it the memory that it needs.',
  },
  {
    sign: /could not look up effective user ID/,
    sentence:
      'The system does not know the name of the user as whom it runs. Give that user an entry in /etc/passwd, or name a server with --database-url.',
  },
  { sign: /Read-only file system/, sentence: 'Its folder is on a file system that cannot be written to.' },
  { sign: /Permission denied|Operation not permitted/, sentence: 'It is not allowed to use its folder.' },
  {
    sign: /could not locate a valid checkpoint record|invalid checkpoint record|could not find redo location/,
    sentence: 'Its files are damaged: part of them is missing.',
  },
]

/** One sentence on why the server did not start, from what it wrote, and its own words after that. */
export const explainOutput = (output: string, folder: string): string => {
  const known = explanations.find(({ sign }) => sign.test(output))
  const words = findComplaint(output)
  return [
    `The database server in ${folder} did not start.`,
    ...(known === undefined ? [] : [known.sentence]),
    ...(words === undefined ? [] : [`It said: ${words}`]),
  ].join(' ')
}

/** The worst line, which in a failed start is the last of its kind. */
const findComplaint = (output: string): string | undefined => {
  const lines = output.split('\n').map((line) => line.trim())
  const line =
    lines.findLast((line) => /\b(FATAL|PANIC):/.test(line)) ??
    lines.findLast((line) => /\berror:|\bERROR:/.test(line)) ??
    lines.findLast((line) => line !== '')
  return line?.replace(/^.*?\b(FATAL|PANIC|ERROR|error):\s*/, '').slice(0, 500)
}

/** Processes of a server that was killed are about to notice it and to end; then another can start. */
export const isLeftover = (output: string): boolean =>
  /pre-existing shared memory block .* is still in use/.test(output)
