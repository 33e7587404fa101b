import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runScript } from '../test/support/runScript.ts'
import { writeTree } from '../test/support/writeTree.ts'

const tree = {
  'package.json': '{ "scripts": { "bench": "x" } }',
  'src/cli/main.ts': '',
  'README.md':
    '# A page\n\n`src/cli/main.ts`, `scripts/gen*.ts`, [a guide](docs/guide.md#first-steps), `npm run bench`\n',
  'docs/guide.md': '# Guide\n\n## First steps\n',
}

const check = (root: string) => runScript('scripts/checkDocs', ['--root', root])

test('pages that name what exists pass', (t) => {
  assert.deepEqual(check(writeTree(t, tree)), { exitCode: 0, stdout: '', stderr: '' })
})

test('a missing file, link, heading, script and table are named', (t) => {
  const root = writeTree(t, {
    ...tree,
    'docs/guide.md': '`src/cli/gone.ts`\n[x](away.md)\n[x](../README.md#b)\nnpm run gone\n',
    'docs/data-model.md': '`blocks`\n',
    'src/store/schema.sql': 'CREATE TABLE blocks (\n);\nCREATE TABLE traces (\n);\n',
  })
  assert.deepEqual(check(root), {
    exitCode: 1,
    stdout: '',
    stderr: [
      'README.md:3 links to docs/guide.md#first-steps, and there is no such heading',
      'docs/guide.md:1 names src/cli/gone.ts, which does not exist',
      'docs/guide.md:2 links to docs/away.md, which does not exist',
      'docs/guide.md:3 links to README.md#b, and there is no such heading',
      'docs/guide.md:4 names npm run gone, which is not in package.json',
      'docs/data-model.md does not describe the table traces',
      '',
    ].join('\n'),
  })
})
