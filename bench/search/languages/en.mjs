// Messages and documents in English, in the form of ../texts.mjs.
export const EN = {
  messages: `
    roof: The roof of the two houses in Mill Street leaks again.
    child: Three children were waiting at the bus stop.
    train: Yesterday I missed the night train to Vienna.
    mouse: We found mice in the cellar of the bakery.
    letter: The insurance wrote us a long letter about the water damage.
    cafe: Let us meet at the café near the cathedral at noon.
    doctor: Dr Müller has moved the appointment to Thursday.
    bike: My bicycle was stolen in front of the library.
    bill: I paid the electricity bills for both flats.
    garden: The apple trees in the garden are blossoming early this year.
    course: She teaches a swimming course for beginners.
    ticket: The tickets for the concert are sold out.
    recipe: Grandmother's recipe needs six eggs and a pound of flour.
    meeting: The meetings of the sales department start at nine.
    car: He drove the rental car into a ditch.
    phone: The new phone number of the workshop is 4471.
    key: I left the keys of the office in the blue jacket.
    flight: Our flights to Reykjavík were cancelled because of fog.
  `,
  queries: `
    word: cathedral = cafe
    word: library = bike
    word: fog = flight
    word: 4471 = phone
    form: house = roof
    form: child = child
    form: mouse = mouse
    form: written letters = letter
    form: steal bicycles = bike
    form: pay bill = bill
    form: tree blossoms = garden
    form: swim courses = course
    form: concert ticket = ticket
    form: egg recipes = recipe
    form: department meeting = meeting
    form: cancel flight = flight
    phrase: "night train to Vienna" = train
    phrase: "the blue jacket" = key
    spelling: cafe = cafe
    spelling: Muller = doctor
    spelling: Reykjavik = flight
  `,
  documents: {
    'Kettle handbook': `
      # Warranty
      The kettle has a warranty of three years from the day of purchase. Keep the receipt, without it no claim can be accepted.
      # Descaling
      Hard water leaves limescale on the bottom. Remove it every four weeks with 20 grams of citric acid in half a litre of water.
      # Dry boiling
      When no water is left, the safety switch turns the device off. Let it cool for fifteen minutes before you fill it.
      # Cable
      The cord is 75 centimetres long. A damaged cord may only be exchanged by a workshop.
      # Filter
      The mesh behind the spout can be pulled out upwards. Rinse it under running water once a week.
    `,
    'Library rules': `
      # Opening hours
      The library is open from Tuesday to Saturday between ten and six. On Mondays and holidays it stays closed.
      # Borrowing
      Each reader may borrow eight books for four weeks. Newspapers are not lent.
      # Renewal
      A loan can be renewed twice by telephone, unless another reader has reserved the book.
      # Late fees
      For each day after the deadline, 30 cents are charged for a book.
      # Reading room
      Only water may be drunk in the reading room. Bags belong into the lockers, which take a coin of one euro.
    `,
    'Hiking club': `
      # Membership
      Members pay 48 euros a year. Students and apprentices pay half.
      # Equipment
      Snowshoes and poles can be rented from the club against a deposit of 60 euros.
      # Meeting point
      We meet at a quarter past seven at the old mill and travel on together by bus.
      # Cancellation
      If thunderstorms are forecast, the leader calls the tour off at eight on the evening before.
      # Dogs
      Dogs are welcome on a leash, but not in the nature reserve around the lake.
    `,
  },
  questions: `
    How long is the guarantee on my kettle? = three years
    How do I get rid of the limescale? = 20 grams
    The kettle boiled dry, what should I do now? = fifteen minutes
    Who exchanges damaged cords? = 75 centimetres
    On which days are you closed? = Mondays
    How many books can I borrow? = eight books
    What does it cost if I return a book late? = 30 cents
    How much do members pay for a year? = 48 euros
    Can I rent snowshoes? = 60 euros
    May my dog come along? = nature reserve
  `,
};
