import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settings } from '../config/settings.ts'
import { commands } from './commands.ts'
import { formatCommandHelp, wrapText } from './formatHelp.ts'

const flags = new Set<string>(Object.values(settings).map(({ flag }) => flag))

for (const command of commands) {
  test(`the help of ${command.name} has examples that can be typed`, () => {
    const { name, examples = [], parameters } = command
    assert.ok(examples.length > 0)
    for (const [line] of examples) {
      const [program, ...words] = line.split(' ')
      assert.equal(program, 'chaincenter')
      assert.ok(words.includes(name), line)
      for (const word of words.filter((each) => each.startsWith('--'))) {
        assert.ok(flags.has(word.replace(/^--no-/, '--')) || flags.has(word), `${line}: there is no flag ${word}`)
      }
      const least = parameters.filter(({ optional }) => !optional).length
      assert.ok(words.filter((word) => !word.startsWith('-')).length > least, line)
      assert.ok(formatCommandHelp(command).includes(`\n  ${line}\n`))
    }
  })
}

test('breaks at blanks, and leaves a word that is too long whole', () => {
  assert.equal(wrapText('aa bb cc dd', 5), 'aa bb\ncc dd')
  assert.equal(wrapText('aa bbbbbbbb cc', 5), 'aa\nbbbbbbbb\ncc')
  assert.equal(wrapText('aa', 1), 'aa')
  assert.equal(wrapText('', 5), '')
})
