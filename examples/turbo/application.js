// On every page of the shop, so that Turbo never has to load a page anew.
import '@hotwired/turbo'
import 'paywindow/element/define'

// Turbo swaps the widget with its page, so the page listens where all events arrive.
document.addEventListener('paywindow:confirmed', () => {
  for (const link of document.querySelectorAll('a[href="."]')) link.textContent = 'Back to the shop'
})
