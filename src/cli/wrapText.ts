/** Breaks a paragraph at blanks where a line would be wider than `width`. */
export const wrapText = (paragraph: string, width = 100): string =>
  paragraph.split(' ').reduce((text, word) => {
    const line = text.slice(text.lastIndexOf('\n') + 1)
    return `${text}${line.length + 1 + word.length > width ? '\n' : ' '}${word}`
  })
