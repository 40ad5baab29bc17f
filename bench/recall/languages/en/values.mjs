// What facts are about. Each value is told once in a world, so that its place in a prompt proves which statement is there.
const words = (text) => text.trim().split(/\s+/);

export const WOMAN = words(`
  Adelheid Benedikta Cosima Delphine Eleonora Fiorella Griselda Henrike Isolde Jocasta Katarzyna Leocadia Mafalda Nerissa Octavia Philippa
  Quirina Rosalind Seraphina Theodora Ulrike Valentina Wilhelmina Xanthe Yolanda Zenobia Anneliese Clementine Emmeline Georgette Iphigenia
  Jolanthe Kasimira Melusine Norberta Ottilie Rosamunde Tamsin Undine Veronika Winifred Zdenka
`);

export const MAN = words(`
  Aurelio Bartholomew Casimir Domenico Evander Ferdinand Gualtiero Hadrian Ignatius Joaquim Konstantin Lysander Matthias Nikodemus Olivier
  Percival Quentin Raimondo Sebastiano Tiberius Umberto Vladimir Wolfram Xaver Yannick Zacharias Balthasar Dagobert Florentin Hannibal
  Leander Prosper Sigismund Gereon Lorenzo Emeric Thaddeus Aloysius Cornelius
`);

export const PET = words(`
  Pumpernickel Moustache Biscotti Falafel Marzipan Tapioca Nutmeg Paprika Cinnabar Truffaut Wombat Hobnob Gnocchi Kumquat Pretzel Tofu
  Mochi Bagheera Cleopatra Sputnik Gulliver Zorro Figaro Nimbus Waffle Chutney Pickles Radish Turnip Sardine Anchovy Crumpet Dumpling
  Macaroon Noodle Pistachio Saffron Tamarind Wasabi Zucchini
`);

export const TOWN = words(`
  Aveiro Bamberg Cremona Delft Esbjerg Ferrara Girona Haarlem Innsbruck Jyväskylä Kaunas Ljubljana Maribor Narvik Odense Plovdiv Quimper
  Ravenna Segovia Tartu Uppsala Viseu Wrexham Xanten Ystad Zadar Alkmaar Bergamo Coimbra Dunkirk Évora Freiburg Gdynia Hasselt Ioannina
  Jaén Kotor Lleida Mechelen Nafplio Olomouc Perugia Rovinj Sibiu Trondheim Utrecht Vitoria Würzburg Zwolle Akureyri Braga Cluj Debrecen
  Erfurt Faro Graz Huelva Inverness Jihlava Košice Lugano Mostar Nantes Oulu Pécs Rouen Siena Toruń Udine Varna
`);

export const SURNAME = words(`
  Abernathy Birkenstock Castellanos Drummond Eszterhazy Fitzwilliam Goldschmidt Hargreaves Ingebrigtsen Jankowski Kowalczyk Lindqvist
  Montefiore Nakamura Okonkwo Papadakis Quartermain Rasmussen Stavropoulos Thorvaldsen Underhill Vandermeer Wojciechowski Yamaguchi
  Zimmermann Achterberg Bellingham Cavendish Dankworth Ellingsen Featherstone Grimaldi Holmqvist Iwanowski
`);

export const STREET = words(`
  Almondbury Beechcroft Chestnutgate Dovecote Elderflower Foxglove Gooseberry Hawthornden Ivybridge Juniper Kingfisher Larkspur Mulberry
  Nightingale Orchardleigh Primrose Quarrybank Rosemount Sycamore Thistledown
`);

export const COMPANY = words(`
  Aldermoor Brightwater Corvantis Duskfield Emberlyn Ferrovia Glasswing Harrowgate Inkwell Jadestone Kestrelcore Lumenforge Meridianta
  Northlight Opalworks Pinebridge Quillon Riverstone Silverbrook Tallgrass
`);

export const MAKER = words(`
  Ashlan Borealto Cindra Dovale Elmira Fjordan Galvera Hexton Ivanta Jorvik Kelmar Lorentz Mondera Norvex Oristan Pellado Quasaro Rondelle
  Solvanto Tervola Ulvik Vantera Wexler Zarano
`);

export const DISH = words(`
  goulash ratatouille moussaka paella bouillabaisse risotto tiramisu lasagne couscous borscht carbonara sauerbraten jambalaya cassoulet
`);

export const TITLE = words(`
  Middlemarch Buddenbrooks Ulysses Persuasion Dracula Frankenstein Kidnapped Ivanhoe Emma Rebecca Candide Siddhartha Nostromo Villette
`);

export const LANGUAGE = words(`Finnish Catalan Welsh Swahili Korean Icelandic Basque Hungarian Maltese Georgian Estonian Norwegian`);

export const INSTRUMENT = words(
  `bassoon oboe cello mandolin accordion clarinet trombone harp banjo ukulele viola saxophone lute flugelhorn`,
);

export const PROJECT = words(
  `Albatross Bumblebee Caracal Dragonfly Echidna Flamingo Gazelle Heron Ibex Jackdaw Kingpin Lynx Manatee Narwhal`,
);
