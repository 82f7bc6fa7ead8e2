import { PDFDocument, type PDFFont, type PDFPage, StandardFonts } from '@pdfme/pdf-lib'
import { VERSION } from '../../words/version.ts'
import { dateOf, parseIsoTime } from '../../world/time/clock.ts'
import type { Invoice } from './invoices.contract.ts'

/** A4 in points. */
const PAGE = { width: 595, height: 842, margin: 56 }
const LINE_HEIGHT = 16
/** Right edges of the three columns of numbers. */
const COLUMNS = [360, 450, PAGE.width - PAGE.margin]

interface Pen {
  document: PDFDocument
  plain: PDFFont
  bold: PDFFont
  page: PDFPage
  y: number
}

/** Creates the PDF of an invoice. The same invoice has the same bytes, because its only date is its own. */
export async function drawInvoice(invoice: Invoice): Promise<Buffer> {
  const pen = await penFor(invoice)
  drawHead(pen, invoice)
  drawRow(pen, ['Service', 'Unit price', 'Messages', 'Amount EUR'], pen.bold)
  for (const { channel, message_type, unit_price, quantity, amount } of invoice.lines)
    drawRow(pen, [`${channel} ${message_type}`, euros(unit_price), String(quantity), euros(amount)])
  down(pen)
  drawRow(pen, ['Net', '', '', euros(invoice.net_amount)])
  drawRow(pen, [`VAT ${invoice.vat_percent} %`, '', '', euros(invoice.vat_amount)])
  drawRow(pen, ['Total', '', '', euros(invoice.total_amount)], pen.bold)
  down(pen)
  write(pen, 'Charged to the prepaid balance, net of VAT. Simulated: nothing is owed, and nothing was paid.')
  return Buffer.from(await pen.document.save())
}

async function penFor({ number, issued_at }: Invoice): Promise<Pen> {
  // Without this the library writes the time of day.
  const document = await PDFDocument.create({ updateMetadata: false })
  const issuedAt = dateOf(parseIsoTime(issued_at))
  document.setTitle(`Invoice ${number}`)
  document.setProducer(`messaging-sandbox ${VERSION}`)
  document.setCreationDate(issuedAt)
  document.setModificationDate(issuedAt)
  const [plain, bold] = await Promise.all([
    document.embedFont(StandardFonts.Helvetica),
    document.embedFont(StandardFonts.HelveticaBold),
  ])
  return { document, plain, bold, ...blankPage(document) }
}

const blankPage = (document: PDFDocument) => ({
  page: document.addPage([PAGE.width, PAGE.height]),
  y: PAGE.height - PAGE.margin,
})

function drawHead(pen: Pen, { id, number, period_start, period_end, issued_at, status }: Invoice) {
  write(pen, 'Messaging Sandbox', pen.bold, 18)
  down(pen)
  write(pen, `Invoice ${number}`, pen.bold, 14)
  down(pen)
  write(pen, `Invoice id: ${id}`)
  write(pen, `Period: ${day(period_start)} up to, but not including, ${day(period_end)} (UTC)`)
  write(pen, `Issued: ${day(issued_at)}`)
  write(pen, `Status: ${status}`)
  down(pen)
}

function write(pen: Pen, text: string, font = pen.plain, size = 10) {
  down(pen)
  pen.page.drawText(text, { x: PAGE.margin, y: pen.y, size, font })
}

function drawRow(pen: Pen, [name, ...numbers]: readonly string[], font = pen.plain) {
  write(pen, name!, font)
  for (const [i, text] of numbers.entries())
    pen.page.drawText(text, { x: COLUMNS[i]! - font.widthOfTextAtSize(text, 10), y: pen.y, size: 10, font })
}

/** Moves to the next line, on a new page where this one is full. */
function down(pen: Pen) {
  pen.y -= LINE_HEIGHT
  if (pen.y < PAGE.margin) Object.assign(pen, blankPage(pen.document))
}

const euros = (amount: number) => amount.toFixed(4)
const day = (time: string) => time.slice(0, 10)
