import { expect, test } from 'vitest'
import { readHtml } from '../../src/words/html.ts'
import { oneTimeCodeIn } from '../../src/words/one-time-code.ts'

test.each([
  ['Your code is 123456.', '123456'],
  ['123456 is your Shop verification code. It expires in 10 minutes.', '123456'],
  ['Ihr Einmalcode lautet 0042 1337', '00421337'],
  ['Your login code: 123 456', '123456'],
  ['G-482913 is your verification code', 'G-482913'],
  ['Use AB12CD as your passcode', 'AB12CD'],
  ['Your code\n\n1 2 3 4 5 6\n\nDo not share it. Order #987654', '123456'],
  ['Order 20261123 of 2026-11-23. Your security code is 7741. Questions? +49 171 3920000', '7741'],
  ['Your code is 4711.\n\n@shop.example #815199', '815199'],
  ['Open https://shop.example/login?code=999999 or type 123456, your sign-in code', '123456'],
  ['You owe 1234 EUR. TAN: 556677', '556677'],
  ['993311', '993311'],
  // No code, or none that is certain.
  ['Your table is free. Coming?', undefined],
  ['Order 123456 is on its way, parcel 777888.', undefined],
  ['Open https://shop.example/confirm/123456', undefined],
  ['Total: 1234.56 EUR in 2026', undefined],
])('the code in %j is %j', (text, code) => {
  expect(oneTimeCodeIn(text)).toBe(code)
})

// With time that grows with the square of the number, it takes longer than the time limit of a test.
test('a code is found in a text with a hundred thousand of them', () => {
  expect(oneTimeCodeIn(`${'code: 1234\n'.repeat(90_000)}code 5678`)).toBe('5678')
})

test('an HTML mail is read as its reader sees it', () => {
  const html = `<!doctype html><html><head><title>Shop</title><style>p { color: red }</style></head><body>
    <div style="color:red; display:none">Your code inside&zwnj;&nbsp;&#847;</div>
    <h1>Hello&nbsp;Zo&euml;</h1>
    <table><tr><td>1</td><td>2</td></tr><tr><td>3 &lt; 4</td></tr></table>
    <p>Line one<br>line two <b>bo</b>ld</p>
    <a href="https://shop.example/a?x=1&amp;y=2"><img src="a.png" alt="Confirm"></a> <a>nowhere</a>
    <script>var x = '<a href="https://evil.example">'</script><p>unclosed <i>tags`
  expect(readHtml(html)).toEqual({
    text: 'Hello Zoë\n1 2\n3 < 4\nLine one\nline two bold\nnowhere\nunclosed tags',
    hidden: 'Your code inside',
    links: [
      { url: 'https://shop.example/a?x=1&y=2', text: 'Confirm' },
      { url: undefined, text: 'nowhere' },
    ],
    images: [{ src: 'a.png', alt: 'Confirm' }],
    styled: [],
  })
})
